import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from '#web/platform/brand/link.tsx';
import type { AccountInfo } from '#contract/account.ts';
import { periodsAt, type Period } from '#contract/periods.ts';
import { type Plan, listPlans } from '#contract/plan.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import {
  accessOf,
  DaysLeft,
  PendingDeletion,
  renewsAt,
  AccessEndText,
  type Access,
} from '#web/domain/payments/access-text.tsx';
import { DateText } from '#web/domain/payments/period-text.tsx';
import { renewalTrouble, RenewalTroubleHelp, RenewalTroubleTitle } from '#web/domain/payments/renewal-trouble.tsx';
import { q } from '#web/platform/api/query.ts';
import { useWantedCurrency } from '#web/platform/brand/brand-context.tsx';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Alert } from '#web/ui/alert.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Play } from '#web/ui/icon.tsx';
import styles from './customer-home.module.css';
import { useRenewal } from '#web/domain/payments/use-renewal.ts';

/** From this many remaining days on, extending the plan is the first action. */
const soonDays = 7;

/** Whether the remaining time is long enough to show other actions first. */
export const hasEnoughTime = (info: AccountInfo) =>
  info.leavesAt === null && accessOf(info, serverNow()).days > soonDays;

/** The current plan, until when it runs, and how to extend it: by the checkout of the same plan if it can be bought. */
export function RunningPlan({ info }: { info: AccountInfo }) {
  const now = serverNow();
  const { following } = periodsAt(info.periods, now);
  const access = accessOf(info, now);
  const { data: renewal } = useRenewal({ enabled: access.runs });
  const plan = useOwnPlan(info.planId);
  return (
    <>
      <div className={styles.now}>
        {access.runs ? <DaysRing days={access.days} share={access.share} /> : <EmptyRing />}
        <div className={styles.words}>
          <h2 className={styles.title}>{info.planName ?? <NoPlan isTrial={access.runs} />}</h2>
          {/* the ring or the title shows the same visually */}
          <p className={access.state === 'days' || access.state === 'none' ? 'sr-only' : styles.left}>
            <DaysLeft access={access} />
          </p>
          <NextPeriod period={following[0]} />
          <p className={styles.soft}>
            <AccessEndText access={access} renewal={renewal} />
          </p>
        </div>
      </div>
      <MainAction info={info} access={access} plan={plan} renewal={renewal} />
    </>
  );
}

function NoPlan({ isTrial }: { isTrial: boolean }) {
  return isTrial ? <Trans>Your trial</Trans> : <Trans>Choose a plan and start watching</Trans>;
}

/** The next paid period; the account page lists all. */
function NextPeriod({ period }: { period: Period | undefined }) {
  if (!period?.planName || period.from === null) return null;
  const day = <DateText at={period.from} short />;
  return (
    <p className={styles.soft}>
      <Trans>
        Then {period.planName}, from {day}
      </Trans>
    </p>
  );
}

interface WhatNowProps {
  info: AccountInfo;
  access: Access;
  plan: Plan | undefined;
  renewal: RenewalInfo | undefined;
}

/**
 * A required decision comes before anything to buy: a customer with a refused card must not pay for the same days
 * twice.
 */
function MainAction({ info, access, plan, renewal }: WhatNowProps) {
  if (info.leavesAt !== null) return <PendingDeletion at={info.leavesAt} />;
  if (renewal && needsOwner(renewal)) return <RenewalTrouble renewal={renewal} />;
  const urgent = renewsAt(renewal) === undefined && access.days <= soonDays;
  return <ExtendPlan plan={plan} hadPlan={info.planId !== null} urgent={urgent} />;
}

/** The next charge fails, or is not made, unless the customer acts. */
const needsOwner = ({ status, asks, card, cardLeft, cardEndsBefore }: RenewalInfo) =>
  status === 'pastDue' || (status === 'on' && (asks !== null || card === null || cardLeft || cardEndsBefore));

function RenewalTrouble({ renewal }: { renewal: RenewalInfo }) {
  if (renewal.status !== 'pastDue')
    return (
      <Alert
        tone="warning"
        title={<Trans>Your renewal needs your attention</Trans>}
        action={<RenewalLink text={<Trans>View renewal</Trans>} />}
      >
        <Trans>If you do nothing, the next payment won’t be made and your access will end.</Trans>
      </Alert>
    );
  const trouble = renewalTrouble(renewal);
  const { toConfirm, byAccount } = trouble;
  const change = byAccount ? <Trans>Change payment method</Trans> : <Trans>Use another card</Trans>;
  return (
    <Alert
      tone="danger"
      title={<RenewalTroubleTitle {...trouble} />}
      action={<RenewalLink text={toConfirm === undefined ? change : <Trans>View renewal</Trans>} />}
    >
      {toConfirm === undefined ? <RenewalTroubleHelp {...trouble} /> : null}
    </Alert>
  );
}

function RenewalLink({ text }: { text: ReactNode }) {
  return (
    <Link to="/account" hash="renewal" data-first className={buttonClass()}>
      {text}
    </Link>
  );
}

interface GoOnProps {
  plan: Plan | undefined;
  hadPlan: boolean;
  urgent: boolean;
}

function ExtendPlan({ plan, hadPlan, urgent }: GoOnProps) {
  const currency = useWantedCurrency();
  const variant = urgent ? 'primary' : 'secondary';
  if (!plan || plan.refusal) {
    return (
      <div className={styles.acts}>
        <Link to="/pricing-table" data-first className={buttonClass({ size: 'lg', variant })}>
          {hadPlan ? <Trans>See plans</Trans> : <Trans>Choose your plan</Trans>}
        </Link>
      </div>
    );
  }
  return (
    <div className={styles.acts}>
      <Link
        to="/payment"
        search={{ planId: plan.id, currency }}
        preload={false}
        data-first
        className={buttonClass({ size: 'lg', variant })}
      >
        {urgent ? <Trans>Renew</Trans> : <Trans>Add more days</Trans>}
      </Link>
      <Link to="/pricing-table" className={buttonClass({ size: 'lg', variant: 'quiet' })}>
        <Trans>All plans</Trans>
      </Link>
    </div>
  );
}

/** The remaining share as a ring, with the days in its centre; screen readers get a sentence instead. */
function DaysRing({ days, share }: { days: number; share: number }) {
  const length = 2 * Math.PI * 42;
  return (
    <div className={styles.ring} aria-hidden>
      <svg viewBox="0 0 100 100" fill="none" strokeWidth="8" strokeLinecap="round">
        <circle cx="50" cy="50" r="42" stroke="var(--brand-soft)" />
        <circle
          cx="50"
          cy="50"
          r="42"
          stroke="var(--brand)"
          strokeDasharray={`${length * Math.max(0.02, share)} ${length}`}
          transform="rotate(-90 50 50)"
        />
      </svg>
      <p>
        <b className="num" translate="no">
          {days}
        </b>
        <Plural value={days} one="day" other="days" />
      </p>
    </div>
  );
}

/** An empty ring: no plan runs. */
function EmptyRing() {
  return (
    <div className={styles.ring} aria-hidden>
      <svg viewBox="0 0 100 100" fill="none" strokeWidth="8">
        <circle cx="50" cy="50" r="42" stroke="var(--brand-soft)" />
      </svg>
      <p>
        <Play />
      </p>
    </div>
  );
}

/** The current plan as it is sold today; undefined if it is not sold. */
function useOwnPlan(planId: string | null): Plan | undefined {
  const query = { language: useLanguage(), mine: '1' } as const;
  const { data } = useQuery({
    ...q(listPlans, { query }, { quiet: true, personal: true }),
    enabled: planId !== null,
  });
  return data?.plans.find((plan) => plan.id === planId);
}
