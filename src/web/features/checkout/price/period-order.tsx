import { Trans } from '@lingui/react/macro';
import type { Quote } from '#contract/billing.ts';
import { periodsAt, type Period } from '#contract/periods.ts';
import { DeviceCount, PeriodName, DateText } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { CalendarDays } from '#web/ui/icon.tsx';
import styles from './period-order.module.css';

interface PeriodOrderProps {
  quote: Pick<Quote, 'startsAt' | 'expiryAfter' | 'periods'>;
  /** of the purchased plan */
  devices: number;
}

/** When the purchased days run, and what runs until then: shown before payment ([Note: Periods]). */
export function PeriodOrder({ quote, devices }: PeriodOrderProps) {
  const { running, following } = periodsAt(quote.periods, serverNow());
  const before = [...(running ? [running] : []), ...following].filter(({ kind }) => kind !== 'grace');
  return (
    <div className={styles.when}>
      <CalendarDays aria-hidden />
      {before.length > 0 ? (
        <StartsLater before={before} devices={devices} until={quote.expiryAfter} />
      ) : (
        <StartsNow quote={quote} graced={running?.kind === 'grace'} />
      )}
    </div>
  );
}

function StartsNow({
  quote: { startsAt, expiryAfter },
  graced,
}: Pick<PeriodOrderProps, 'quote'> & { graced: boolean }) {
  const end = <DateText at={expiryAfter} />;
  if (!graced || startsAt === undefined) {
    return (
      <p>
        <Trans>You’ll have access until {end}</Trans>
      </p>
    );
  }
  const start = <DateText at={startsAt} />;
  return (
    <p>
      <Trans>
        These days run from {start}, when your paid days ended, until {end}
      </Trans>
    </p>
  );
}

/** One sentence for one preceding plan, a short list for several. */
function StartsLater({ before, devices, until }: { before: readonly Period[]; devices: number; until: number }) {
  const last = before.at(-1);
  const start = <DateText at={last?.until ?? until} />;
  const end = <DateText at={until} />;
  const changes = before.some((period) => period.devices !== devices);
  return (
    <div className={styles.words}>
      <p>
        <strong>
          <Trans>This plan starts on {start}</Trans>
        </strong>
        <br />
        <Trans>and runs until {end}</Trans>
      </p>
      <p>
        <Trans>Before that, you have:</Trans>
      </p>
      <ul>
        {before.map((period) => (
          <PrecedingPeriod key={period.until} period={period} />
        ))}
      </ul>
      {changes ? (
        <p>
          <Trans>Those days keep their devices.</Trans>
        </p>
      ) : null}
    </div>
  );
}

function PrecedingPeriod({ period }: { period: Period }) {
  const name = <PeriodName period={period} />;
  const count = <DeviceCount count={period.devices} />;
  const end = <DateText at={period.until} short />;
  return (
    <li>
      <Trans>
        {name}, {count}, until {end}
      </Trans>
    </li>
  );
}
