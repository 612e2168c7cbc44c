import { Plural, Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AccountInfo } from '#contract/account.ts';
import { periodsAt, type Period } from '#contract/periods.ts';
import {
  renewsAt,
  accessOf,
  DaysLeft,
  AccessEndText,
  ConfirmedAccess,
  type RetryableRead,
} from '#web/domain/payments/access-text.tsx';
import { DeviceCount, PeriodName, DateRange, DateText } from '#web/domain/payments/period-text.tsx';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { classNames } from '#web/ui/class-names.ts';
import styles from './periods.module.css';
import { Link } from '#web/platform/brand/link.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import remainingStyles from './account.module.css';
import { useRenewal } from '#web/domain/payments/use-renewal.ts';

/** Whether there is a plan that could renew: a current, following or most recent one. */
export const hasPlan = ({ planId, periods }: AccountInfo) =>
  planId !== null || periods.some((period) => period.planId !== null);

/** Frequent buyers have many periods. The others are folded, unless there is only one. */
const shownAtOnce = 3;

/**
 * The current and following periods and the renewal after them ([Note: Periods]). A single plan without either is
 * described by the text above.
 */
export function Periods({ info }: { info: AccountInfo }) {
  const { running, following } = periodsAt(info.periods, serverNow());
  const renews = useRenewing(hasPlan(info));
  if (!running && following.length === 0) return null;
  if (following.length === 0 && (renews === undefined || renews.planName === running?.planName)) return null;
  const rows = [
    ...(running ? [<PeriodRow key="now" period={running} runs />] : []),
    ...following.map((period) => <PeriodRow key={`${period.orderId} ${period.from}`} period={period} />),
    ...(renews ? [<RenewalRow key="renews" {...renews} />] : []),
  ];
  const more = rows.length > shownAtOnce + 1 ? rows.length - shownAtOnce : 0;
  return (
    <div className={styles.periods}>
      <h3 className={styles.heading} id="periods">
        <Trans>Your plans in order</Trans>
      </h3>
      <ol aria-labelledby="periods">{rows.slice(0, rows.length - more)}</ol>
      {more > 0 ? (
        <details className={styles.more}>
          <summary>
            <Plural value={more} one="# more plan" other="# more plans" />
          </summary>
          <ol aria-labelledby="periods">{rows.slice(-more)}</ol>
        </details>
      ) : null}
      <p className={styles.note}>
        <Trans>Days you’ve paid for keep their plan and devices, even if you add more.</Trans>
      </p>
    </div>
  );
}

function PeriodRow({ period, runs = false }: { period: Period; runs?: boolean }) {
  const { devices, from, until } = period;
  return (
    <Row
      kind={runs ? 'now' : 'next'}
      name={<PeriodName period={period} />}
      when={
        runs || from === null ? (
          <Trans>
            now, until <DateText at={until} short />
          </Trans>
        ) : (
          <DateRange from={from} until={until} />
        )
      }
      what={<DeviceCount count={devices} />}
    />
  );
}

interface Renewing {
  readonly planName: string;
  readonly days: number;
  readonly nextChargeAt: number;
}

/** The charge before the last day ends. */
function RenewalRow({ planName, days, nextChargeAt }: Renewing) {
  return (
    <Row
      kind="renews"
      name={planName}
      when={
        <Trans>
          renews on <DateText at={nextChargeAt} short />
        </Trans>
      }
      what={<Plural value={days} one="# day" other="# days" />}
    />
  );
}

interface RowProps {
  readonly kind: 'now' | 'next' | 'renews';
  readonly name: ReactNode;
  readonly when: ReactNode;
  readonly what: ReactNode;
}

function Row({ kind, name, when, what }: RowProps) {
  return (
    <li className={classNames(styles.period, styles[kind])}>
      <strong>{name}</strong>
      <span className={styles.what}>{what}</span>
      <span className={styles.when}>{when}</span>
    </li>
  );
}

/** The renewal after all periods; undefined if it does not exist or is unknown. */
function useRenewing(enabled: boolean): Renewing | undefined {
  const { data } = useRenewal({ enabled });
  return renewsAt(data) === undefined ? undefined : data?.terms;
}

const radius = 42;
const length = 2 * Math.PI * radius;

/** The remaining share of the plan as a ring; hidden from screen readers, because the text beside it says the same. */
function RemainingRing({ share }: { share: number }) {
  return (
    <svg
      className={remainingStyles.ring}
      viewBox="0 0 100 100"
      aria-hidden
      fill="none"
      strokeWidth="9"
      strokeLinecap="round"
    >
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
  const { data: renewal } = useRenewal({ enabled: hasPlan(info) });
  const { running, following } = periodsAt(info.periods, now);
  return (
    <div className={remainingStyles.remaining}>
      <h2 className={remainingStyles.heading} id="remaining-time">
        <Trans>Your access</Trans>
      </h2>
      <ConfirmedAccess access={access} read={read} asking={<Skeleton lines={3} height={28} />}>
        <div className={remainingStyles.ringRow}>
          {access.runs ? <RemainingRing share={access.share} /> : null}
          <div className={remainingStyles.remainingWords}>
            <p className={remainingStyles.days}>
              <DaysLeft access={access} />
            </p>
            <p className={remainingStyles.soft}>
              <AccessEndText access={access} renewal={renewal} />
            </p>
            {running && access.runs && following.length === 0 ? (
              <p className={remainingStyles.soft}>
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
      {runs ? <Trans>Add more days</Trans> : <Trans>See plans</Trans>}
    </Link>
  );
}
