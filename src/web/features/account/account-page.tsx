import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { queryInfo, type AccountInfo } from '../../../contract/account.ts';
import type { UserInfo } from '../../../contract/auth.ts';
import { q } from '../../api/query.ts';
import { CustomerArea } from '../../customer-area/customer-area.tsx';
import { SavedStamp } from '../../customer-area/saved-stamp.tsx';
import { LoadFailed } from '../../payment-state/load-failed.tsx';
import { useSession } from '../../session/session.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AccountFacts } from './account-facts.tsx';
import styles from './account.module.css';
import { LastLogins } from './last-logins.tsx';
import { LogOutButton } from './log-out-button.tsx';
import { RemainingTime } from './remaining-time.tsx';

/** The call behind the page; the router may load it ahead. */
export const accountQuery = ({ uid, account, type }: Pick<UserInfo, 'uid' | 'account' | 'type'>) =>
  q(queryInfo, { body: { uid, account, type } });

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
      <AccountCards info={data} />
      <LogOutButton />
    </>
  );
}

function AccountCards({ info }: { info: AccountInfo }) {
  return (
    <div className={styles.cards}>
      <Card as="section" aria-labelledby="remaining-time">
        <RemainingTime info={info} />
      </Card>
      <Card as="section" aria-labelledby="account-facts">
        <AccountFacts info={info} />
      </Card>
      <Card as="section" aria-labelledby="last-logins" className={styles.wide}>
        <LastLogins sessions={info.deviceSessions} />
      </Card>
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
