import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deletionState } from '#contract/my-data.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { q } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Download } from './download.tsx';
import { KeepAccount } from './keep-account.tsx';
import { SavedPayer } from './saved-payer.tsx';
import styles from './my-data.module.css';

/** /my-data: downloads the customer's data, and deletes the account. */
export function MyDataPage() {
  const user = useSession();
  const { data, error, refetch } = useQuery({ ...q(deletionState, { body: {} }, { quiet: true }), enabled: !!user });
  const leaves = data?.leavesAt ?? null;
  const [moved, setMoved] = useState(false);
  const move = { moved, onMove: () => setMoved(true) };
  return (
    <CustomerArea
      title={<Trans>My data</Trans>}
      below="/settings"
      intro={<Trans>What we keep of you is yours: take it along, or have it deleted.</Trans>}
    >
      {leaves === null ? null : <KeepAccount leavesAt={leaves} charging={data?.charging ?? false} {...move} />}
      {user?.buysOnly ? (
        <p className={styles.soft}>
          <Trans>You are signed in here to watch and to buy. Log in on your phone to see or to delete your data.</Trans>
        </p>
      ) : null}
      <div className={styles.cards}>
        {user?.buysOnly ? null : <Download />}
        {user?.buysOnly ? null : <SavedPayer />}
        {data && leaves === null && !user?.buysOnly ? <DeleteAccount state={data} {...move} /> : null}
        {!data && error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? (
          <Card aria-busy>
            <Skeleton lines={3} height={28} />
          </Card>
        ) : null}
      </div>
    </CustomerArea>
  );
}
