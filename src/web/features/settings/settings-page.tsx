import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '#web/platform/brand/link.tsx';
import { type ReactNode, useEffect } from 'react';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { useIsComplete } from '#web/domain/payments/access-text.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { Card } from '#web/ui/card.tsx';
import { ArrowRight, Download, KeyRound } from '#web/ui/icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ContactRow } from './contact-row.tsx';
import { AppearanceRows, currenciesQuery } from './appearance-rows.tsx';
import { Notifications } from './notifications.tsx';
import { PasswordRow } from './password-row.tsx';
import { settingsQuery, useSettingsKnown, useSettingsSaved, type Settings } from './settings-query.ts';
import styles from './settings.module.css';
import type { Elements } from '#web/ui/elements.ts';
import { msg } from '@lingui/core/macro';
import * as v from 'valibot';
import { saveNickname } from '#contract/settings.ts';
import { nicknameSchema } from '#contract/signup.ts';
import { accountErrorMessage } from '#web/domain/auth/account-rules.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { onlyProblems, localizedMessage } from '#web/platform/form/localized-message.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import { Field } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { FormActions, SettingRow, useRow, type Row } from './setting-row.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** /settings: the customer's identity, login, appearance and notifications. */
export function SettingsPage(wanted: WantedSetting) {
  const user = useSession();
  return (
    <CustomerArea title={<Trans>Settings</Trans>} meanwhile={<SettingsSkeleton />}>
      {user ? <Loaded {...wanted} /> : <SettingsSkeleton />}
    </CustomerArea>
  );
}

interface WantedSetting {
  /** what another page needs */
  add?: 'email' | undefined;
  /** that page; anything else than a path of the storefront is ignored */
  returnTo?: string | undefined;
}

function Loaded(wanted: WantedSetting) {
  const asked = useQuery(settingsQuery);
  const { data, error, dataUpdatedAt, refetch } = asked;
  // rows between the others depend on them
  const isComplete = useIsComplete(asked, [useQuery(supportPhoneQuery), useQuery(currenciesQuery)]);
  if (!data && error) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (!data || !isComplete) return <SettingsSkeleton />;
  return (
    <>
      <SavedStamp error={error} readAt={dataUpdatedAt} fillsGap />
      <Sections settings={data} {...wanted} />
    </>
  );
}

function Sections({ settings, add, returnTo }: WantedSetting & { settings: Settings }) {
  // a TV session, or a phone that was handed a checkout, may not change the account
  const fixed = useSession()?.buysOnly === true;
  return (
    <div className={styles.sections}>
      <Section id="profile" title={<Trans>Profile</Trans>}>
        <Profile settings={settings} fixed={fixed} add={add} returnTo={returnTo} />
      </Section>
      {fixed ? null : (
        <Section id="security" title={<Trans>Security and data</Trans>}>
          <PasswordRow settings={settings} />
          <SettingLink
            to="/passkeys"
            icon={<KeyRound aria-hidden />}
            label={<Trans>Passkeys</Trans>}
            what={<Trans>Log in with your fingerprint, face or screen lock</Trans>}
          />
          <SettingLink
            to="/my-data"
            icon={<Download aria-hidden />}
            label={<Trans>My data</Trans>}
            what={<Trans>Download your data or delete your account</Trans>}
          />
        </Section>
      )}
      <Section id="look" title={<Trans>Language and appearance</Trans>}>
        <AppearanceRows mails={settings.language} />
      </Section>
      {fixed ? null : (
        <Section id="notifications" title={<Trans>Notifications</Trans>}>
          <Notifications settings={settings} />
        </Section>
      )}
    </div>
  );
}

/** What the customer is called, and how they log in. */
function Profile({ settings, fixed, add, returnTo }: WantedSetting & { settings: Settings; fixed: boolean }) {
  return (
    <>
      <NicknameRow settings={settings} fixed={fixed} />
      <ContactRow
        type="email"
        settings={settings}
        fixed={fixed}
        wanted={add === 'email' && settings.email === null}
        returnTo={add && returnTo}
      />
      <ContactRow type="phone" settings={settings} fixed={fixed} />
      {fixed ? <ChangeOnPhoneHint /> : null}
    </>
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
      <Trans>On this device you can watch and buy. Log in on your phone to change this.</Trans>
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

const special = localizedMessage(msg`The nickname must not contain special characters`);
type Values = Readonly<{ nickname: string }>;
const store = draft('settings.nickname', v.object({ nickname: v.pipe(v.string(), v.maxLength(80)) }));

/** The customer's nickname. */
export function NicknameRow({ settings: { nickname }, fixed }: { settings: Settings; fixed: boolean }) {
  const row = useRow();
  const none = useSettingsKnown() ? <Trans>None yet</Trans> : null;
  return (
    <SettingRow label={<Trans>Nickname</Trans>} value={nickname === '' ? none : nickname} row={fixed ? undefined : row}>
      <NicknameForm nickname={nickname} row={row} />
    </SettingRow>
  );
}

function NicknameForm({ nickname, row }: { nickname: string; row: Row }) {
  const { t } = useLingui();
  const saved = useSettingsSaved();
  const save = useApiMutation(saveNickname, {
    onSuccess: (settings) => {
      saved(settings);
      row.close(true);
    },
    message: accountErrorMessage,
  });
  const form = useForm<Values>({
    initial: { nickname: store.get()?.nickname ?? nickname },
    check: (values) => onlyProblems({ nickname: !v.is(nicknameSchema, values.nickname) && special }),
    draft: { store, fields: ['nickname'] },
    submit: async ({ nickname: wanted }) => (await save.send({ body: { nickname: wanted.trim() } })).refusal,
  });
  const { ref } = form.formProps;
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref]);
  const cancel = () => {
    store.remove();
    row.close();
  };
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary}</Problem>
      <Field
        {...form.register('nickname')}
        required={false}
        label={t`Nickname`}
        hint={t`Letters and digits, up to 40`}
        autoComplete="nickname"
        enterKeyHint="done"
      />
      <FormActions busy={form.isSubmitting} onCancel={cancel}>
        <Trans>Save</Trans>
      </FormActions>
    </form>
  );
}
