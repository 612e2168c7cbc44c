import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { forgetPayer } from '#contract/payer.ts';
import { ownPayerQuery } from '#web/domain/payments/payer/known-payer.tsx';
import { refreshQueries } from '#web/platform/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { dot } from '#web/ui/dot.ts';
import { Problem } from '#web/ui/problem.tsx';
import styles from './my-data.module.css';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** The stored payer data that fills in purchases ([Note: Kept payer] in the contract), and a button to delete it. */
export function SavedPayer() {
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
        <Trans>Who pays</Trans>
      </h2>
      <p data-private translate="no">
        {parts.join(dot)}
      </p>
      <p className={styles.soft}>
        <Trans>Your next purchase fills this in for you. Card numbers and security codes are never kept.</Trans>
      </p>
      <Problem>{problem}</Problem>
      <Button variant="secondary" busy={isPending} onClick={() => mutate({ body: {} })}>
        <Trans>Forget this</Trans>
      </Button>
    </Card>
  );
}
