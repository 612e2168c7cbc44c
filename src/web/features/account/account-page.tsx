import { Trans, Plural, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { AccountInfo } from '#contract/account.ts';
import type { UserInfo } from '#contract/user.ts';
import { OpenApp } from '#web/domain/notifications/install/open-app.tsx';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { SavedStamp } from '#web/shells/saved-stamp.tsx';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { AccountName } from '#web/domain/account/names.tsx';
import { InstallOfferSlot } from '#web/domain/notifications/install/install-offer-slot.tsx';
import {
  PendingDeletion,
  isConfirmedEmpty,
  useIsComplete,
  type RetryableRead,
} from '#web/domain/payments/access-text.tsx';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { updateSessionUser, useSession } from '#web/platform/session/session.ts';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { accountQuery, urvQuery } from './account-query.ts';
import styles from './account.module.css';
import { LastLogins } from './last-logins.tsx';
import { hasPlan, RemainingTime } from './periods.tsx';
import { RenewalSection } from './renewal/renewal-section.tsx';
import { SavedCards } from './saved-cards.tsx';
import { useNavigate } from '@tanstack/react-router';
import { logOut } from '#web/domain/auth/log-out.ts';
import { Button } from '#web/ui/button.tsx';
import { LogOut } from '#web/ui/icon.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';
import { AccountLinks } from './account-links.tsx';
import { useIsCapable } from '#web/platform/brand/use-is-capable.ts';

/** Loaded after the rest of the page, because most visits do not use it. */
async function loadSecurity() {
  const [security] = await Promise.all([import('./account-security.tsx'), loadMessages('private')]);
  return security;
}

/** /account: until when the access runs, the customer's data, and recent logins. */
export function AccountPage() {
  const user = useSession();
  return (
    <CustomerArea
      title={<Trans>Account</Trans>}
      action={user ? <LogOutButton /> : null}
      meanwhile={
        <>
          <AccountLinks />
          <AccountSkeleton />
        </>
      }
    >
      <AccountLinks />
      {user ? <Account user={user} /> : <AccountSkeleton />}
    </CustomerArea>
  );
}

function Account({ user }: { user: UserInfo }) {
  const asked = useQuery(accountQuery(user));
  const { data, error, dataUpdatedAt, refetch } = asked;
  const { payStatus, leavesAt } = data ?? {};
  useEffect(() => {
    updateSessionUser({ payStatus, leavesAt });
  }, [payStatus, leavesAt]);
  const { security, reminder } = useSecurity();
  const isComplete = useIsComplete(asked, [reminder]);
  if (!data && error) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  if (!data || !isComplete) return <AccountSkeleton />;
  const read = { error, readAt: dataUpdatedAt, onRetry: () => void refetch() };
  return (
    <>
      <SavedStamp error={error} readAt={dataUpdatedAt} fillsGap />
      <AccountCards info={data} read={read} security={security} />
      <InstallOfferSlot wide />
    </>
  );
}

/** The part that is loaded later, and whether the reminder in it, which is above everything else, is still awaited. */
function useSecurity() {
  const [security, wantSecurity] = useLazyModule(loadSecurity);
  const [tried, setTried] = useState(false);
  const { data, isLoading } = useQuery(urvQuery);
  useEffect(() => void wantSecurity().then(() => setTried(true)), [wantSecurity]);
  const isDue = data?.email ? data.mailBounces || !data.emailVerified : false;
  return { security, reminder: { isLoading: isLoading || (isDue && !tried) } };
}

interface AccountCardsProps {
  info: AccountInfo;
  read: RetryableRead;
  security: Awaited<ReturnType<typeof loadSecurity>> | undefined;
}

function AccountCards({ info, read, security }: AccountCardsProps) {
  const [renews, savesCards] = [useIsCapable('renew'), useIsCapable('buyByCard')];
  return (
    <div className={styles.cards}>
      {info.leavesAt === null ? null : (
        <div className={styles.reminder}>
          <PendingDeletion at={info.leavesAt} />
        </div>
      )}
      {security ? <security.PendingConfirmation /> : null}
      <Card as="section" aria-labelledby="remaining-time" className={styles.access}>
        <RemainingTime info={info} read={read} />
        <OpenApp below />
      </Card>
      <Card as="section" aria-labelledby="account-facts">
        <AccountFacts info={info} isKnown={isConfirmedEmpty(read)} />
      </Card>
      {renews ? <RenewalSection hasPlan={hasPlan(info)} leavesAt={info.leavesAt} /> : null}
      <Card as="section" aria-labelledby="last-logins" className={styles.wide}>
        <LastLogins sessions={info.deviceSessions} isKnown={isConfirmedEmpty(read)} />
      </Card>
      {savesCards ? <SavedCards leaves={info.leavesAt !== null} /> : null}
      {security ? <security.Security expiredTime={info.expiredTime} /> : null}
    </div>
  );
}

function AccountSkeleton() {
  return (
    <div className={styles.cards} aria-busy>
      <p className="sr-only" role="status">
        <Trans>Loading…</Trans>
      </p>
      <Card>
        <Skeleton lines={4} height={28} />
      </Card>
      <Card>
        <Skeleton lines={4} height={28} />
      </Card>
    </div>
  );
}

/** Ends the session and removes the customer's data from this device. */
function LogOutButton() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    // Synchronously, however long the navigation takes: a customer who closes the tab now must not stay logged in.
    const wiped = logOut(client);
    await navigate({ to: '/' });
    await wiped;
  };
  return (
    <Button variant="secondary" busy={busy} onClick={() => void leave()}>
      <LogOut aria-hidden />
      <Trans>Log out</Trans>
    </Button>
  );
}

/** The customer's data. */
function AccountFacts({ info, isKnown }: { info: AccountInfo; isKnown: boolean }) {
  const { i18n } = useLingui();
  const { userDevice: used, limitCount: limit } = info;
  return (
    <>
      <h2 className={styles.heading} id="account-facts">
        <Trans>Your details</Trans>
      </h2>
      <dl className={styles.rows}>
        <Row label={<Trans>Account</Trans>}>
          <AccountName account={info.account} />
        </Row>
        {info.nickname ? (
          <Row label={<Trans>Nickname</Trans>}>
            <Untranslated text={info.nickname} />
          </Row>
        ) : null}
        {info.planName || isKnown ? (
          <Row label={<Trans>Plan</Trans>}>
            {info.planName ? <Untranslated text={info.planName} /> : <Trans>None yet</Trans>}
          </Row>
        ) : null}
        {limit > 0 ? (
          <Row label={<Trans>Devices</Trans>}>
            <Plural value={info.limitCount} one="# at a time" other="# at the same time" />
          </Row>
        ) : null}
        {limit > 0 ? (
          <Row label={<Trans>Devices in use</Trans>}>
            <DevicesInUse used={used} limit={limit} />
          </Row>
        ) : null}
        <Row label={<Trans>Customer since</Trans>}>{dayText(i18n, info.accountCreationTime)}</Row>
      </dl>
    </>
  );
}

/** More devices can be logged in than the plan allows to watch. */
function DevicesInUse({ used, limit }: { used: number; limit: number }) {
  return (
    <>
      <Trans>
        {used} of {limit}
      </Trans>
      {used > limit ? (
        <small className={styles.hint}>
          <Plural value={limit} one="Only # can watch at a time" other="Only # can watch at a time" />
        </small>
      ) : null}
    </>
  );
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
