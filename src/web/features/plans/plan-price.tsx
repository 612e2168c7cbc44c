import { Plural, Trans } from '@lingui/react/macro';
import { periodDays } from '#contract/limits.ts';
import type { Money } from '#contract/money.ts';
import { formatPercent } from '#contract/numbers.ts';
import { pricePerMonth, roundPercentDown, type MethodDiscount, type Plan } from '#contract/plan.ts';
import { withMessages } from '#web/platform/i18n/catalogs.ts';
import { TicketPercent } from '#web/ui/icon.tsx';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { MoneyText, dot } from '#web/ui/money-text.tsx';
import { Pill } from '#web/ui/pill.tsx';
import lines from './plan-lines.module.css';

/** The plan's state for a logged-in customer: it is not in the server's HTML, so its messages are loaded with it. */
export const PlanBadge = lazyPart(
  async () => (await withMessages('private', import('./customer/plan-badge.tsx'))).PlanBadgeText,
);

/** The label of a plan: it is the current one, or the recommended one. */
export function PlanPill({ plan, recommended }: { plan: Plan; recommended: boolean }) {
  if (plan.yours) return <PlanBadge plan={plan} as="pill" />;
  return recommended ? (
    <Pill tone="brand">
      <Trans>Recommended</Trans>
    </Pill>
  ) : null;
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
