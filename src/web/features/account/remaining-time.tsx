import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccountInfo } from '#contract/account.ts';
import { periodsAt } from '#contract/periods.ts';
import {
  accessOf,
  DaysLeft,
  AccessEndText,
  ConfirmedAccess,
  type RetryableRead,
} from '#web/domain/payments/access-text.tsx';
import { PeriodName } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { renewalQuery } from './account-query.ts';
import styles from './account.module.css';
import { hasPlan, Periods } from './periods.tsx';

const radius = 42;
const length = 2 * Math.PI * radius;

/** The remaining share of the plan as a ring; hidden from screen readers, because the text beside it says the same. */
function RemainingRing({ share }: { share: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 100 100" aria-hidden fill="none" strokeWidth="9" strokeLinecap="round">
      <circle cx="50" cy="50" r={radius} stroke="var(--brand-soft)" />
      <circle
        cx="50"
        cy="50"
        r={radius}
        stroke="var(--brand)"
        strokeDasharray={`${length * Math.max(0.02, share)} ${length}`}
        transform="rotate(-90 50 50)"
      />
      <path d="M50 32v19l12 8" stroke="var(--brand-text)" strokeWidth="6" strokeLinejoin="round" />
    </svg>
  );
}

/** Until when the access runs: as remaining days, with a ring, and as a date. */
export function RemainingTime({ info, read }: { info: AccountInfo; read: RetryableRead }) {
  const now = serverNow();
  const access = accessOf(info, now);
  const { data: renewal } = useQuery({ ...renewalQuery, enabled: hasPlan(info) });
  const { running, following } = periodsAt(info.periods, now);
  return (
    <div className={styles.remaining}>
      <h2 className={styles.heading} id="remaining-time">
        <Trans>Your access</Trans>
      </h2>
      <ConfirmedAccess access={access} read={read} asking={<Skeleton lines={3} height={28} />}>
        <div className={styles.ringRow}>
          {access.runs ? <RemainingRing share={access.share} /> : null}
          <div className={styles.remainingWords}>
            <p className={styles.days}>
              <DaysLeft access={access} />
            </p>
            <p className={styles.soft}>
              <AccessEndText access={access} renewal={renewal} />
            </p>
            {running && access.runs && following.length === 0 ? (
              <p className={styles.soft}>
                <PeriodName period={running} />
              </p>
            ) : null}
          </div>
        </div>
      </ConfirmedAccess>
      <Periods info={info} />
      {/* nothing can be bought in the week before the account is deleted */}
      {info.leavesAt === null ? <BuyMore runs={access.runs} /> : null}
    </div>
  );
}

function BuyMore({ runs }: { runs: boolean }) {
  return (
    <Link to="/pricing-table" className={buttonClass({ variant: runs ? 'secondary' : 'primary', wide: true })}>
      {runs ? <Trans>Add more days</Trans> : <Trans>See the plans</Trans>}
    </Link>
  );
}
