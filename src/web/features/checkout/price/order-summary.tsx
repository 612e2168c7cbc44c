import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Quote } from '#contract/billing.ts';
import type { Money } from '#contract/money.ts';
import type { Period } from '#contract/periods.ts';
import type { PlanDetail } from '#contract/plan.ts';
import { callErrorOf } from '#web/platform/api/api-error.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import styles from '../checkout.module.css';
import { CouponField } from '../coupon/coupon-field.tsx';
import look from './order-summary.module.css';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { MethodIcon } from '../method/method-step.tsx';
import { isSameMoney } from '../act/pay-machine.ts';
import { PeriodOrder } from './period-order.tsx';
import type { Refusal } from '../act/place-refusal.ts';
import type { CheckoutCoupon } from '../coupon/use-coupon.ts';
import type { Purchase } from './use-purchase.ts';
import type { Elements } from '#web/ui/elements.ts';
import { Untranslated } from '#web/ui/untranslated.tsx';

const dayMs = 86_400_000;

interface OrderSummaryProps {
  plan: PlanDetail;
  /** of the customer, before this purchase */
  periods: readonly Period[];
  purchase: Purchase;
  /** why there is no price */
  refusal: Refusal<Error> | undefined;
  /** undefined if it is elsewhere on the page */
  coupon: CheckoutCoupon | undefined;
  /** the pay button, if it is here */
  children: Elements;
}

/** The plan, its price and dates; always visible. */
export function OrderSummary({ plan, periods, purchase, refusal, coupon, children }: OrderSummaryProps) {
  return (
    <Card as="aside" className={styles.summary} aria-labelledby="order-summary">
      <div className={look.summary}>
        <h2 className={look.title} id="order-summary">
          <Trans>Your order</Trans>
        </h2>
        <p className={look.plan}>
          <span translate="no">{plan.name}</span>
          <span className={look.devices}>
            <Plural value={plan.devices} one="# device at a time" other="# devices at the same time" />
          </span>
        </p>
        <Price plan={plan} periods={periods} purchase={purchase} refusal={refusal} />
        {coupon ? <CouponField coupon={coupon} input={purchase.input} /> : null}
      </div>
      {children}
    </Card>
  );
}

function Price({ plan, periods, purchase, refusal }: Omit<OrderSummaryProps, 'coupon' | 'children'>) {
  const { quote, charged, outdated, retryPrice } = purchase;
  if (refusal && refusal.place.at !== 'discountCode')
    return <PriceFailed error={refusal.source} onRetry={retryPrice} />;
  if (!quote || !charged) return <PriceToCome plan={plan} periods={periods} purchase={purchase} />;
  const interest = charged.amount - quote.total.amount;
  return (
    <div className={look.price} data-outdated={outdated || undefined} aria-busy={outdated}>
      <dl className={look.rows}>
        {isSameMoney(quote.original, charged) ? null : <Row label={<Trans>Plan price</Trans>} money={quote.original} />}
        {discountsOf(quote).map(({ kind, amount }) => (
          <Row key={kind} label={discountLabel(kind, purchase)} money={negative(amount)} good />
        ))}
        {interest > 0 ? <Row label={<Trans>Interest</Trans>} money={{ ...charged, amount: interest }} /> : null}
        <Row label={<Trans>Total</Trans>} money={charged} total />
      </dl>
      <PeriodOrder quote={quote} devices={plan.devices} />
      <By method={purchase.method} />
    </div>
  );
}

/** Known parts are at their final position: nothing below may move under a finger when the amounts arrive. */
function PriceToCome({ plan, periods, purchase }: Pick<OrderSummaryProps, 'plan' | 'periods' | 'purchase'>) {
  const { method, input } = purchase;
  // the likely sentence, for its length
  const begins = Math.max(serverNow(), ...periods.map(({ until }) => until));
  const usual = { periods: [...periods], expiryAfter: begins + plan.days * dayMs };
  const kinds: DiscountKind[] = [];
  if (method.discount > 0) kinds.push('method');
  if (input.discountCode !== undefined) kinds.push('coupon');
  return (
    <div className={look.price} aria-hidden>
      <dl className={look.rows}>
        {kinds.length > 0 ? <Row label={<Trans>Plan price</Trans>} /> : null}
        {kinds.map((kind) => (
          <Row key={kind} label={discountLabel(kind, purchase)} />
        ))}
        <Row label={<Trans>Total</Trans>} total />
      </dl>
      <div className={look.coming}>
        <PeriodOrder quote={usual} devices={plan.devices} />
      </div>
      <By method={method} />
    </div>
  );
}

function By({ method }: Pick<Purchase, 'method'>) {
  return (
    <p className={look.by}>
      <MethodIcon code={method.code} icon={method.icon} />
      <span translate="no">{method.name}</span>
    </p>
  );
}

/** If the shop returns only the total of discounts, they are one line. */
function discountsOf({ discounts, discount }: Quote): readonly { kind: DiscountKind; amount: Money }[] {
  if (discounts.length > 0 || discount.amount === 0) return discounts;
  return [{ kind: 'both', amount: discount }];
}

type DiscountKind = Quote['discounts'][number]['kind'] | 'both';

function discountLabel(kind: DiscountKind, { method, input }: Purchase): ReactNode {
  const methodName = <Untranslated text={method.name} />;
  const code = <Untranslated text={input.discountCode ?? ''} />;
  switch (kind) {
    case 'method':
      return <Trans>{methodName} discount</Trans>;
    case 'coupon':
      return <Trans>Coupon {code}</Trans>;
    case 'both':
      return <Trans>Discount</Trans>;
  }
}

const negative = ({ amount, currency }: Money): Money => ({ amount: -amount, currency });

interface RowProps {
  label: ReactNode;
  /** undefined while loading */
  money?: Money;
  good?: boolean;
  total?: boolean;
}

function Row({ label, money, good = false, total = false }: RowProps) {
  const language = useLanguage();
  return (
    <div className={look.row} data-good={good || undefined} data-total={total || undefined}>
      <dt>{label}</dt>
      {money ? (
        <dd>
          <MoneyText money={money} language={language} />
        </dd>
      ) : (
        <dd className={look.coming}>
          <span>0</span>
        </dd>
      )}
    </div>
  );
}

function PriceFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { i18n, t } = useLingui();
  const known = callErrorOf(error);
  return (
    <Alert
      tone="warning"
      live="polite"
      action={
        <Button variant="secondary" onClick={onRetry}>
          <Trans>Retry</Trans>
        </Button>
      }
    >
      {known ? messageOfError(i18n, known) : t`We couldn’t load the price.`}
    </Alert>
  );
}
