import { orderNumber } from '#contract/mask.ts';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Order } from '#contract/order.ts';
import type { Period } from '#contract/periods.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import type { Money } from '#contract/money.ts';
import type { RenewalStatus } from '#contract/renewal.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { dayText } from '#web/platform/i18n/day-text.ts';

/** The name of a period: its plan, or its kind if it has none ([Note: Periods]). */
export function PeriodName({ period: { kind, planName } }: { period: Pick<Period, 'kind' | 'planName'> }) {
  if (planName !== null) return <span translate="no">{planName}</span>;
  return kind === 'given' ? <Trans>Free days</Trans> : <Trans>Your access</Trans>;
}

/** How many devices can watch at the same time. */
export function DeviceCount({ count }: { count: number }) {
  return <Plural value={count} one="# device" other="# devices" />;
}

/** The dates of a period; nothing if it has no days. */
export function DateRange({ from, until }: { from: number; until: number }) {
  return (
    <>
      <DateText at={from} short />
      <span>{'\u00a0– '}</span>
      <DateText at={until} short />
    </>
  );
}

type OrderService = Pick<Order, 'serviceStart' | 'serviceEnd' | 'status'>;

/** The days of an order in short: they start later, run, have ended, or were refunded. */
export function OrderPeriod({ order: { serviceStart, serviceEnd, status } }: { order: OrderService }) {
  if (serviceStart === null || serviceEnd === null) return null;
  if (serviceStart === serviceEnd) return <Trans>No days: the order was refunded</Trans>;
  const span = <DateRange from={serviceStart} until={serviceEnd} />;
  const now = serverNow();
  if (serviceStart > now) return <Trans>Starts later: {span}</Trans>;
  if (serviceEnd > now) return <Trans>Active now: {span}</Trans>;
  const isGone = status === 'REFUND_SUCCEEDED' || status === 'CHARGEBACK_SUCCEEDED';
  return isGone ? <Trans>Ended by refund: {span}</Trans> : span;
}

/** Thanks for a payment, with the dates of its days; without a session they are unknown. */
export function PurchasedPeriod({ order }: { order: OrderService | undefined }) {
  const start = order?.serviceStart ?? null;
  const end = order?.serviceEnd ?? null;
  if (start === null || end === null) return <Trans>Thank you! Your access is ready in the app.</Trans>;
  const date = <DateText at={end} />;
  if (start <= serverNow()) return <Trans>Thank you! You have access until {date}.</Trans>;
  const begins = <DateText at={start} />;
  return (
    <Trans>
      Thank you! This plan starts on {begins}, after your current days, and runs until {date}.
    </Trans>
  );
}

/** The agreed price and period without a line break: `R$ 49.90 every 30 days`. */
export function RecurringPrice({ price, days }: { price: Money; days: number }) {
  const amount = <MoneyText money={price} language={useLanguage()} />;
  return (
    <Trans>
      {amount} every <Plural value={days} one="# day" other="# days" />
    </Trans>
  );
}

/** A date from epoch milliseconds; `short` for narrow places. */
export function DateText({ at, short = false }: { at: number; short?: boolean }) {
  const { i18n } = useLingui();
  return <span>{dayText(i18n, at, short ? 'medium' : 'long')}</span>;
}

interface RenewalLabels {
  readonly label: MessageDescriptor;
  readonly tone: 'neutral' | 'success' | 'danger' | 'brand';
}

/** The label of each renewal state, the same everywhere. */
export const renewalLabels = {
  on: { label: msg`On`, tone: 'success' },
  off: { label: msg`Off`, tone: 'neutral' },
  renewing: { label: msg`Renewing now`, tone: 'brand' },
  pastDue: { label: msg`Payment failed`, tone: 'danger' },
  ended: { label: msg`Ended`, tone: 'neutral' },
} satisfies Record<RenewalStatus, RenewalLabels>;

/** The short number of an order, which support finds it by, and its ID. */
export function OrderNumber({ orderId }: { orderId: string }) {
  const number = orderNumber(orderId);
  return (
    <>
      {number === orderId ? null : (
        <>
          <b>{number}</b>
          <span> </span>
        </>
      )}
      <span>{orderId}</span>
    </>
  );
}
