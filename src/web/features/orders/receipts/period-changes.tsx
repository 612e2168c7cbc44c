import { Plural, Trans } from '@lingui/react/macro';
import type { PeriodChange } from '#contract/periods.ts';
import { Day } from '#web/domain/payments/renewal-words.tsx';
import styles from './receipt.module.css';

const dayMs = 86_400_000;

/** Why the days of an order have changed: because of refunds and lost disputes ([Note: Periods]). */
export function PeriodChanges({ changes }: { changes: readonly PeriodChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={`${change.at} ${change.orderId}`}>
          <PeriodChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}

function PeriodChangeText({ change: { kind, because, orderId, at, ms } }: { change: PeriodChange }) {
  const day = <Day at={at} short />;
  const days = <Plural value={Math.round(ms / dayMs)} one="# day" other="# days" />;
  if (kind === 'moved') {
    return (
      <Trans>
        {day}: begins {days} earlier, because the money of order {orderId} went back
      </Trans>
    );
  }
  return because === 'refund' ? (
    <Trans>
      {day}: {days} taken back with the refund
    </Trans>
  ) : (
    <Trans>
      {day}: {days} taken back, because the bank took the payment back
    </Trans>
  );
}
