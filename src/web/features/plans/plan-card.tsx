import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import {
  periodOf,
  savedPercent,
  pricePerMonth,
  roundPercentDown,
  type Plan,
  type MethodDiscount,
} from '#contract/plan.ts';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MonitorSmartphone, TicketPercent } from '#web/ui/icon.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { Pill } from '#web/ui/pill.tsx';
import styles from './plan-card.module.css';
import lines from './plan-lines.module.css';
import type { Money } from '#contract/money.ts';
import { periodDays } from '#contract/limits.ts';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { formatPercent } from '#contract/numbers.ts';

interface PlanCardProps {
  plan: Plan;
  all: readonly Plan[];
  recommended: boolean;
  language: string;
}

/** The plan's state for a logged-in customer: it is not in the server's HTML, so its messages are loaded with it. */
export const PlanBadge = lazyPart(
  async () => (await withMessages('private', import('./customer/plan-badge.tsx'))).PlanBadgeText,
);

/** The label of a plan: it is the current one, or the recommended one. */
export function PlanPill({ plan, recommended }: Pick<PlanCardProps, 'plan' | 'recommended'>) {
  if (plan.yours) return <PlanBadge plan={plan} as="pill" />;
  return recommended ? (
    <Pill tone="brand">
      <Trans>Recommended</Trans>
    </Pill>
  ) : null;
}

/** A plan in the list: the same lines in the same order, so that cards can be compared. */
export function PlanCard({ plan, all, recommended, language }: PlanCardProps) {
  const { refusal } = plan;
  return (
    <li
      className={styles.card}
      data-period={periodOf(plan.days)}
      data-recommended={recommended || undefined}
      data-refused={refusal ? '' : undefined}
    >
      <div className={styles.head}>
        <h2 className={styles.name} translate="no">
          {plan.name}
        </h2>
        <PlanPill plan={plan} recommended={recommended} />
      </div>
      <p className={lines.line}>
        <MonitorSmartphone aria-hidden />
        <Plural value={plan.devices} one="# device at a time" other="# devices at the same time" />
      </p>
      <PlanPrice plan={plan} saved={savedPercent(plan, all)} language={language} />
      <div>
        {refusal ? (
          <PlanBadge plan={plan} as="reason" />
        ) : (
          <MethodDiscounts discounts={plan.discounts} language={language} />
        )}
      </div>
      <PlanLinks plan={plan} recommended={recommended} />
    </li>
  );
}

/** The link to the checkout and the one to the details; a plan that cannot be bought has details only. */
function PlanLinks({ plan, recommended }: Pick<PlanCardProps, 'plan' | 'recommended'>) {
  const { id, price, refusal } = plan;
  return (
    <div className={styles.links}>
      {refusal ? null : (
        <Link
          to="/payment"
          search={{ planId: id, currency: price.currency }}
          preload={false}
          className={buttonClass({ variant: recommended ? 'primary' : 'secondary', wide: true })}
        >
          <Trans>
            Choose<span className="sr-only"> {plan.name}</span>
          </Trans>
        </Link>
      )}
      <Link
        to="/plan-details/$id"
        params={{ id }}
        className={buttonClass({ variant: refusal ? 'secondary' : 'quiet', wide: true })}
      >
        {refusal ? (
          <Trans>Plan details</Trans>
        ) : (
          <Trans>
            Details<span className="sr-only"> of {plan.name}</span>
          </Trans>
        )}
      </Link>
    </div>
  );
}

interface PlanPriceProps {
  plan: Plan;
  /** in another currency than the plan's own, if one was chosen */
  price?: Money | undefined;
  /** percent compared with monthly payment */
  saved: number;
  language: string;
}

/** Price, period, price per month, and savings. */
export function PlanPrice({ plan, price = plan.price, saved, language }: PlanPriceProps) {
  const listPrice = plan.listPrice?.currency === price.currency ? plan.listPrice : undefined;
  return (
    <div className={lines.price}>
      <p className={lines.amounts}>
        <strong className={lines.amount}>
          <MoneyText money={price} language={language} />
        </strong>
        {listPrice ? (
          <s className={lines.before}>
            <span className="sr-only">
              <Trans>instead of</Trans>
              <span> </span>
            </span>
            <MoneyText money={listPrice} language={language} />
          </s>
        ) : null}
      </p>
      <Term plan={plan} price={price} language={language} />
      {saved > 0 ? (
        <Pill tone="success">
          <Trans>
            You save <PercentText value={saved} language={language} />
          </Trans>
        </Pill>
      ) : null}
    </div>
  );
}

/** The period, and the price per month if the period is not a month. */
function Term({ plan, price, language }: { plan: Plan; price: Money; language: string }) {
  const monthly = pricePerMonth({ days: plan.days, price });
  return (
    <p className={lines.term}>
      <Trans>
        for <Plural value={plan.days} one="# day" other="# days" />
      </Trans>
      {plan.days === periodDays.month ? null : (
        <>
          <span>{dot}</span>
          <Trans>
            <MoneyText money={monthly} language={language} /> a month
          </Trans>
        </>
      )}
    </p>
  );
}

/** The discounts of payment methods, shown before anything is chosen. */
export function MethodDiscounts({ discounts, language }: { discounts: readonly MethodDiscount[]; language: string }) {
  const real = discounts.filter(({ discount }) => discount > 0);
  if (real.length === 0) return null;
  return (
    <ul className={lines.lines}>
      {real.map(({ methodCode, name, discount }) => (
        <li key={methodCode} className={lines.good}>
          <TicketPercent aria-hidden />
          <span>
            <Trans>
              <PercentText value={discount} language={language} /> off with {name}
            </Trans>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A percentage in the format of `language`. */
export function PercentText({ value, language }: { value: number; language: string }) {
  return (
    <span className="num" translate="no">
      {formatPercent(roundPercentDown(value), language)}
    </span>
  );
}
