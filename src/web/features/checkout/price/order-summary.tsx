import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Money } from '../../../../contract/money.ts';
import type { PlanDetail } from '../../../../contract/plan.ts';
import { ApiError } from '../../../api/api-error.ts';
import { useLanguage } from '../../../i18n/active.ts';
import { wordsOf } from '../../../i18n/error-words.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CalendarDays } from '../../../ui/icon.tsx';
import { MoneyText } from '../../../ui/money-text.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from '../checkout.module.css';
import { CouponField } from '../coupon/coupon-field.tsx';
import look from './order-summary.module.css';
import { isCouponRefusal } from '../act/pay-outcome.ts';
import type { Coupon } from '../coupon/use-coupon.ts';
import type { Purchase } from './use-purchase.ts';

interface OrderSummaryProps {
  plan: PlanDetail;
  purchase: Purchase;
  coupon: Coupon;
}

/** What is bought, what it costs and until when it runs; always in sight. */
export function OrderSummary({ plan, purchase, coupon }: OrderSummaryProps) {
  return (
    <Card as="aside" className={styles.summary} aria-labelledby="order-summary">
      <div className={look.summary}>
        <h2 className={look.title} id="order-summary">
          <Trans>Your order</Trans>
        </h2>
        <p className={look.plan}>{plan.name}</p>
        <Price purchase={purchase} />
        <CouponField coupon={coupon} />
      </div>
    </Card>
  );
}

function Price({ purchase }: { purchase: Purchase }) {
  const { quote, charged, outdated, priceError } = purchase;
  const code = priceError instanceof ApiError ? priceError.code : undefined;
  if (priceError && !isCouponRefusal(code)) return <PriceFailed error={priceError} onRetry={purchase.retryPrice} />;
  if (!quote || !charged) return <Skeleton lines={4} height={24} />;
  const interest = charged.amount - quote.total.amount;
  return (
    <div className={look.price} data-outdated={outdated || undefined} aria-busy={outdated}>
      <dl className={look.rows}>
        <Row label={<Trans>Plan price</Trans>} money={quote.original} />
        {quote.discount.amount > 0 ? (
          <Row label={<Trans>Discount</Trans>} money={negative(quote.discount)} good />
        ) : null}
        {interest > 0 ? <Row label={<Trans>Interest</Trans>} money={{ ...charged, amount: interest }} /> : null}
        <Row label={<Trans>Total</Trans>} money={charged} total />
      </dl>
      <Until instant={quote.expiryAfter} />
    </div>
  );
}

const negative = ({ amount, currency }: Money): Money => ({ amount: -amount, currency });

interface RowProps {
  label: ReactNode;
  money: Money;
  good?: boolean;
  total?: boolean;
}

function Row({ label, money, good = false, total = false }: RowProps) {
  const language = useLanguage();
  return (
    <div className={look.row} data-good={good || undefined} data-total={total || undefined}>
      <dt>{label}</dt>
      <dd>
        <MoneyText money={money} language={language} />
      </dd>
    </div>
  );
}

function Until({ instant }: { instant: number }) {
  const { i18n } = useLingui();
  const date = i18n.date(new Date(instant), { dateStyle: 'long' });
  return (
    <p className={look.until}>
      <CalendarDays aria-hidden />
      <span>
        <Trans>Your access will run until {date}</Trans>
      </span>
    </p>
  );
}

function PriceFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { i18n, t } = useLingui();
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
      {error instanceof ApiError ? wordsOf(i18n, error) : t`The price could not be read.`}
    </Alert>
  );
}
