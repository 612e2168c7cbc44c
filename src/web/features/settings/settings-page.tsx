import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { Card } from '#web/ui/card.tsx';
import { ArrowRight, Download, KeyRound } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ContactRow } from './contact-row.tsx';
import { LookRows } from './appearance-rows.tsx';
import { NicknameRow } from './nickname-row.tsx';
import { Notifications } from './notifications.tsx';
import { PasswordRow } from './password-row.tsx';
import { settingsQuery, type Settings } from './settings-query.ts';
import styles from './settings.module.css';
import type { Elements } from '#web/ui/elements.ts';

/** /settings: the customer's identity, login, appearance and notifications. */
export function SettingsPage() {
  const user = useSession();
  return <CustomerArea title={<Trans>Settings</Trans>}>{user ? <Loaded /> : <SettingsSkeleton />}</CustomerArea>;
}

function Loaded() {
  const { data, error, dataUpdatedAt, refetch } = useQuery(settingsQuery);
  if (!data) return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <SettingsSkeleton />;
  return (
    <>
      <SavedStamp error={error} readAt={dataUpdatedAt} inGap />
      <Sections settings={data} />
    </>
  );
}

function Sections({ settings }: { settings: Settings }) {
  // a TV session, or a phone that was handed a checkout, may not change the account
  const fixed = useSession()?.buysOnly === true;
  return (
    <div className={styles.sections}>
      <Section id="profile" title={<Trans>Profile</Trans>}>
        <NicknameRow settings={settings} fixed={fixed} />
        <ContactRow type="email" settings={settings} fixed={fixed} />
        <ContactRow type="phone" settings={settings} fixed={fixed} />
        {fixed ? <ChangeOnPhoneHint /> : null}
      </Section>
      {fixed ? null : (
        <Section id="security" title={<Trans>Security and data</Trans>}>
          <PasswordRow settings={settings} />
          <SettingLink
            to="/passkeys"
            icon={<KeyRound aria-hidden />}
            label={<Trans>Passkeys</Trans>}
            what={<Trans>Log in by fingerprint, face or screen lock</Trans>}
          />
          <SettingLink
            to="/my-data"
            icon={<Download aria-hidden />}
            label={<Trans>My data</Trans>}
            what={<Trans>Download everything, or delete your account</Trans>}
          />
        </Section>
      )}
      <Section id="look" title={<Trans>Language and look</Trans>}>
        <LookRows mails={settings.language} />
      </Section>
      {fixed ? null : (
        <Section id="notifications" title={<Trans>Notifications</Trans>}>
          <Notifications settings={settings} />
        </Section>
      )}
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: ReactNode; children: Elements }) {
  return (
    <Card as="section" aria-labelledby={id}>
      <h2 className={styles.heading} id={id}>
        {title}
      </h2>
      {children}
    </Card>
  );
}

interface WayProps {
  to: '/passkeys' | '/my-data';
  icon: Elements;
  label: ReactNode;
  what: ReactNode;
}

/** A setting with its own page. */
function SettingLink({ to, icon, label, what }: WayProps) {
  return (
    <div className={styles.row}>
      <Link to={to} className={styles.way}>
        {icon}
        <span className={styles.words}>
          <b>{label}</b>
          <span>{what}</span>
        </span>
        <ArrowRight aria-hidden />
      </Link>
    </div>
  );
}

function ChangeOnPhoneHint() {
  return (
    <p className={styles.soft}>
      <Trans>You are signed in here to watch and to buy. Log in on your phone to change this.</Trans>
    </p>
  );
}

function SettingsSkeleton() {
  return (
    <div className={styles.sections} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Card>
        <Skeleton lines={4} height={28} />
      </Card>
      <Card>
        <Skeleton lines={3} height={28} />
      </Card>
    </div>
  );
}
