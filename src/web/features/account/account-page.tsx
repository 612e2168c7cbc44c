import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryInfo, type AccountInfo } from '../../../contract/account.ts';
import type { UserInfo } from '../../../contract/user.ts';
import { usePart } from '../../account-form/use-part.ts';
import { q } from '../../api/query.ts';
import { CustomerArea } from '../../customer-area/customer-area.tsx';
import { SavedStamp } from '../../customer-area/saved-stamp.tsx';
import { ensureWords } from '../../i18n/catalogs.ts';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { useSession } from '../../session/session.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AccountFacts } from './account-facts.tsx';
import styles from './account.module.css';
import { LastLogins } from './last-logins.tsx';
import { LogOutButton } from './log-out-button.tsx';
import { RemainingTime } from './remaining-time.tsx';
import { SavedCards } from './saved-cards.tsx';

/** The call behind the page; the router may load it ahead. */
export const accountQuery = ({ uid, account, type }: Pick<UserInfo, 'uid' | 'account' | 'type'>) =>
  q(queryInfo, { body: { uid, account, type } });

/** What most visits do not use comes after the rest of the page. */
async function loadSecurity() {
  const [security] = await Promise.all([import('./account-security.tsx'), ensureWords('identity')]);
  return security;
}

/** /account: until when the access runs, who one is here, and where one has logged in. */
export function AccountPage() {
  const user = useSession();
  return (
    <CustomerArea title={<Trans>Account</Trans>}>{user ? <Account user={user} /> : <AccountSkeleton />}</CustomerArea>
  );
}

function Account({ user }: { user: UserInfo }) {
  const { data, error, dataUpdatedAt, refetch } = useQuery(accountQuery(user));
  if (!data) return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <AccountSkeleton />;
  return (
    <>
      <SavedStamp error={error} savedAt={dataUpdatedAt} />
      <AccountCards info={data} account={user.account} />
      <LogOutButton />
    </>
  );
}

function AccountCards({ info, account }: { info: AccountInfo; account: string }) {
  const [security, wantSecurity] = usePart(loadSecurity);
  useEffect(() => void wantSecurity(), [wantSecurity]);
  return (
    <div className={styles.cards}>
      {security ? <security.ConfirmDue /> : null}
      <Card as="section" aria-labelledby="remaining-time">
        <RemainingTime info={info} />
      </Card>
      <Card as="section" aria-labelledby="account-facts">
        <AccountFacts info={info} />
      </Card>
      <Card as="section" aria-labelledby="last-logins" className={styles.wide}>
        <LastLogins sessions={info.deviceSessions} />
      </Card>
      <SavedCards />
      {security ? <security.Security account={account} /> : null}
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
