import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deletionState } from '#contract/my-data.ts';
import { LoadFailed } from '#web/domain/payments/load-failed.tsx';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { useSession } from '#web/platform/session/session.ts';
import { CustomerArea } from '#web/shells/customer-area.tsx';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Download } from './download.tsx';
import styles from './my-data.module.css';
import { forgetPayer } from '#contract/payer.ts';
import { ownPayerQuery } from '#web/domain/payments/payer/known-payer.tsx';
import { Button } from '#web/ui/button.tsx';
import { dot } from '#web/ui/money-text.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useCancelDeletion } from '#web/domain/account/use-cancel-deletion.ts';
import { Alert } from '#web/ui/alert.tsx';
import { timeText } from '#web/platform/i18n/day-text.ts';

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
      intro={<Trans>The data we store about you is yours: download it or have it deleted.</Trans>}
    >
      {leaves === null ? null : <CancelDeletion leavesAt={leaves} charging={data?.charging ?? false} {...move} />}
      {user?.buysOnly ? (
        <p className={styles.soft}>
          <Trans>On this device you can watch and buy. Log in on your phone to see or delete your data.</Trans>
        </p>
      ) : null}
      <div className={styles.cards} aria-busy={(!data && !error) || undefined}>
        {user?.buysOnly ? null : <Download />}
        {user?.buysOnly ? null : <SavedPayer />}
        {data && leaves === null && !user?.buysOnly ? <DeleteAccount state={data} {...move} /> : null}
        {!data && error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : null}
        {!data && !error ? (
          <Card>
            <Skeleton lines={3} height={28} />
          </Card>
        ) : null}
      </div>
    </CustomerArea>
  );
}

/** The stored payer data that fills in purchases ([Note: Kept payer] in the contract), and a button to delete it. */
function SavedPayer() {
  const client = useQueryClient();
  const { data } = useQuery(ownPayerQuery);
  const { mutate, isPending, problem } = useApiMutation(forgetPayer, {
    onSuccess: () => refreshQueries(client, { queryKey: ownPayerQuery.queryKey }),
  });
  if (!data || data.kept.length === 0) return null;
  const { firstName, lastName, document, phone, place } = data;
  const parts = [`${firstName} ${lastName}`.trim(), document, phone, place].filter(Boolean);
  return (
    <Card as="section" aria-labelledby="payer">
      <h2 className={styles.heading} id="payer">
        <Trans>Payer</Trans>
      </h2>
      <p data-private translate="no">
        {parts.join(dot)}
      </p>
      <p className={styles.soft}>
        <Trans>We fill this in for your next purchase. We never store card numbers or security codes.</Trans>
      </p>
      <Problem>{problem}</Problem>
      <Button variant="secondary" busy={isPending} onClick={() => mutate({ body: {} })}>
        <Trans>Delete these details</Trans>
      </Button>
    </Card>
  );
}

const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

interface KeepProps {
  leavesAt: number;
  /** a charge of the renewal, which the deletion turned off, is in progress at the bank */
  charging: boolean;
  /** it replaced the form that had the focus */
  moved: boolean;
  onMove: () => void;
}

/** The week in which the deletion can be cancelled. */
function CancelDeletion({ leavesAt, charging, moved, onMove }: KeepProps) {
  const { i18n } = useLingui();
  const buysOnly = useSession()?.buysOnly === true;
  const { mutate, isPending, problem } = useCancelDeletion(onMove);
  const day = timeText(i18n, leavesAt, 'full');
  const keep = (
    <Button ref={moved ? takeFocus : null} busy={isPending} onClick={mutate}>
      <Trans>Keep my account</Trans>
    </Button>
  );
  return (
    <Alert tone="warning" title={<Trans>Your account will be deleted on {day}</Trans>} action={buysOnly ? null : keep}>
      <p>
        <Trans>
          Until then you can log in, watch and keep your account with one tap. You won’t be charged, and you can’t buy
          anything. Automatic renewal stays off, even if you stay.
        </Trans>
      </p>
      {charging ? (
        <p>
          <Trans>A renewal payment was already with your bank. If it goes through, you get the days it pays for.</Trans>
        </p>
      ) : null}
      <div className={styles.gap}>
        <Problem>{problem}</Problem>
      </div>
    </Alert>
  );
}
