import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { nextRenewalStatus, renewalStatusSchema, type RenewalEvent, type RenewalStatus } from '#contract/renewal.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { percentOf } from '#contract/money.ts';
import type { MethodRow, PlanRow } from '#server/brand/catalog.ts';
import { gatewayOf, methodsIn, type ChargedMethod } from '#server/payments/chargeable.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long before the end of the paid days a charge is made, in milliseconds: a day. */
export const chargeLeadMs = dayMs;
/** Days between the notice and the charge: 7, and 30 for a plan of a year. */
const noticeDays = { usual: 7, year: 30 } as const;
const yearDays = 365;
/** Days that access continues after the paid ones, while the charge is retried. */
const graceDays = 7;
/** Minimum time between a late notice and the charge, after an outage of the shop, in milliseconds: a day. */
export const latestNoticeMs = dayMs;
/**
 * When automatic renewal is turned on in the last hours, the charge is after an hour at the earliest, or when the paid
 * days end.
 */
const soonestChargeMs = hourMs;
/** From each refusal to the next retry, in milliseconds: 1, 3 and 5 days after the first refusal. */
const retryPausesMs = [dayMs, 2 * dayMs, 2 * dayMs] as const;

/** Number of retries of a refused charge: 3. */
export const retries = retryPausesMs.length;

/** The notice of a short plan is sent in its second half, and its grace is half its days. */
const halfDays = (days: number) => days / 2;

/** Time between the notice of a renewal and its charge, in milliseconds. */
export function noticeLeadMs(days: number): number {
  return (days >= yearDays ? noticeDays.year : Math.min(noticeDays.usual, halfDays(days))) * dayMs;
}

/** The same as an SQL expression, where `days` is a column. */
export function noticeLeadOf(days: SQLWrapper): SQL {
  const [year, usual] = [noticeDays.year * dayMs, noticeDays.usual * dayMs];
  return sql`(case when ${days} >= ${yearDays} then ${year}::bigint
    else least(${usual}::bigint, ${days}::bigint * ${halfDays(dayMs)}::bigint) end)`;
}

/** When the next charge is made, in epoch milliseconds as `paidUntil`. */
export function chargeTime(paidUntil: number): number {
  return paidUntil - chargeLeadMs;
}

/** The first charge of a renewal that is turned on at `now`. */
export function firstChargeTime(paidUntil: number, now: number): number {
  return Math.max(chargeTime(paidUntil), Math.min(now + soonestChargeMs, paidUntil));
}

/** The latest end of access without a payment for the next period. */
export function graceEnd(paidUntil: number, days: number): number {
  return paidUntil + Math.min(graceDays, halfDays(days)) * dayMs;
}

/** When a charge with this many refusals is retried; null if it is not. */
export function retryTime(refusals: number, now: number): number | null {
  const pause = retryPausesMs[refusals - 1];
  return pause === undefined ? null : now + pause;
}

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * The status after an event, as an SQL expression. No code writes the status of a subscription by name: the contract's
 * table decides which status an event leads to.
 */
export function statusAfter(event: RenewalEvent): SQL {
  const cases = renewalStatusSchema.options.flatMap((from) => {
    const to = nextRenewalStatus(from, event);
    return to === undefined ? [] : [sql`when ${literal(from)} then ${literal(to)}`];
  });
  return sql`case ${subscriptions.status} ${sql.join(cases, sql` `)} else ${subscriptions.status} end`;
}

/** The status of a locked row after an event; throws if the table has no such transition. */
export function requireNextStatus(
  { id, status }: Pick<SubscriptionRow, 'id' | 'status'>,
  event: RenewalEvent,
): RenewalStatus {
  const to = nextRenewalStatus(status, event);
  if (to === undefined) throw new Error(`the renewal ${id} is ${status} and cannot be ${event}`);
  return to;
}

/** Statuses come from the contract. Literals give the statement a constant text. */
function literal(status: RenewalStatus): SQL {
  return sql.raw(`'${status}'`);
}

/** The columns of a new period. A period that has an order has used up its number. */
export function nextPeriod({ period, orderId }: Pick<SubscriptionRow, 'period' | 'orderId'>) {
  return {
    period: orderId === null ? period : period + 1,
    orderId: null,
    refusals: 0,
    noticed: 0,
    cardTold: false,
    asks: null,
  };
}

/**
 * The price of a period in minor units: the lowest of the agreed price, today's price and the price in its notice,
 * because a price that was low on the day of the notice may have risen again before the charge.
 */
export function periodPrice(
  { price, toldPrice, noticed, period }: Pick<SubscriptionRow, 'price' | 'toldPrice' | 'noticed' | 'period'>,
  offered: number = price,
): number {
  const announced = noticed === period && toldPrice !== null ? toldPrice : price;
  return Math.min(price, offered, announced);
}

interface Shop {
  readonly brand: RequestContext['brand'];
  readonly deps: Pick<RequestContext['deps'], 'gateways'>;
}

/** How a plan can renew: by which method, and the price of each period. */
export interface RenewalOffer {
  readonly plan: PlanRow;
  readonly method: MethodRow;
  /** minor units: the plan's price minus the method's discount; coupons apply to one purchase only */
  readonly price: number;
}

/**
 * The automatic renewal of a plan by a method, if brand, plan and method all offer it: the method saves cards, and its
 * gateway can charge them without the cardholder. Plans that are no longer sold are not in `brand.plans` and do not
 * renew.
 */
export function renewalOffer(
  shop: Shop,
  plan: PlanRow,
  method: ChargedMethod,
  currency: string,
): RenewalOffer | undefined {
  const price = plan.prices[currency];
  const isOffered = shop.brand.config.payment.renewal !== 'no' && plan.renews && method.savesCard;
  const canCharge = gatewayOf(shop.deps.gateways, method.gateway)?.chargeSaved !== undefined;
  if (!isOffered || !canCharge || price === undefined) return undefined;
  const { discount, unit = 1 } = method;
  return { plan, method, price: Math.floor((price - percentOf(price, discount)) / unit) * unit };
}

/**
 * The automatic renewal that a purchase can turn on. An account is saved only with a payment, so not with a total of
 * zero, and not while its provider refuses to save accounts; plans that renew already are charged nevertheless.
 */
export function offerWithPurchase(
  shop: Shop,
  plan: PlanRow,
  method: ChargedMethod,
  { total, currency }: { readonly total: number; readonly currency: string },
): RenewalOffer | undefined {
  const { savesAccount } = method;
  if (savesAccount === false || (savesAccount === true && total === 0)) return undefined;
  return renewalOffer(shop, plan, method, currency);
}

/** The same, by the codes that a subscription stores. */
export function findRenewalOffer(
  shop: Shop,
  { planId, methodCode, currency }: { planId: string; methodCode: string; currency: string },
): RenewalOffer | undefined {
  const plan = shop.brand.plans.find(({ id }) => id === planId);
  const method = methodsIn(shop, currency).find(({ code }) => code === methodCode);
  return plan && method && renewalOffer(shop, plan, method, currency);
}
