import type { goodsValuation, installmentsPlan } from '#contract/billing.ts';
import type { PlanRow } from '#server/brand/catalog.ts';
import { uncountTry, uncountTryFrom, countTry, countTryFrom } from '#server/runtime/limits/throttle.ts';
import { type ChargedMethod, methodsIn } from '#server/payments/chargeable.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { periodsOf, shownPeriodsOf, periodIfPaid } from '#server/site/periods.ts';
import { requirePlan } from '#server/site/plan.ts';
import { chargeTime, offerWithPurchase } from './subscriptions/renewal-rules.ts';
import { couponParams, type CouponErrors, type CouponRefusal, type CouponUse, findCoupon } from './coupons.ts';
import { installmentOptions, type Price, priceOf, type Reduction, termsOf } from './pricing.ts';
import { type QuoteFacts, quoteLifetimeMs, signQuote, wasQuoted } from './quote.ts';

interface PurchaseSelection {
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly discountCode?: string | undefined;
  /** the order to repay: a coupon that it reserves does not block it */
  readonly orderId?: string | undefined;
  /** the quote that the customer has seen, if any */
  readonly quoteId?: string | undefined;
}

/** A purchase with everything that its price depends on. */
export interface Valuation {
  readonly plan: PlanRow;
  readonly method: ChargedMethod;
  readonly price: Price;
  readonly facts: QuoteFacts;
}

/** The errors of `valuate`. */
export type ValuationErrors =
  | CouponErrors
  | 'currencyUnsupported'
  | 'methodUnsupported'
  | 'pageNotFound'
  | 'rateUnsupported'
  | 'tooFrequent';

/**
 * The price of a purchase for this customer now. `pageNotFound`: unknown plan. `currencyUnsupported`: not a currency of
 * the brand. `methodUnsupported`: no provider can charge it in this currency. `rateUnsupported`: no price in it.
 * `tooFrequent`: too many unknown coupons. Also the coupon's own errors (`couponUnavailable` with the customer's order
 * that reserves it).
 */
export async function quotePurchase(
  context: CustomerContext<ValuationErrors>,
  wish: PurchaseSelection,
): Promise<Valuation> {
  const { brand, user, deps } = context;
  const { planId, methodCode, currency, discountCode, orderId } = wish;
  const plan = requirePlan(context.refuse, brand, planId);
  if (!brand.currencies.includes(currency)) context.refuse('currencyUnsupported');
  const method =
    methodsIn(context, currency).find(({ code: known }) => known === methodCode) ?? context.refuse('methodUnsupported');
  const original = plan.prices[currency] ?? context.refuse('rateUnsupported');
  const owner = { brand: brand.code, uid: user.uid };
  const use = discountCode === undefined ? undefined : { ...owner, code: discountCode, planId, currency, orderId };
  const request = { ...owner, planId, methodCode, currency, discountCode };
  const isKnown = wasQuoted(deps.env.SIGNING_SECRET, wish.quoteId ?? '', request);
  const coupon =
    use &&
    (await (isKnown ? findCoupon(deps.db, use, deps.clock()) : lookUp(context, use, await countCouponTry(context))));
  if (coupon && 'refused' in coupon) context.refuse(coupon.refused, couponParams(coupon, context));
  const price = priceOf(original, method.discount, coupon, method.unit);
  return { plan, method, price, facts: { ...request, total: price.total } };
}

/** A coupon's reduction for a list of methods; undefined if it cannot be used, because the valuation reports that. */
export async function usableCoupon(
  context: CustomerContext,
  { discountCode, planId, currency, orderId }: Omit<PurchaseSelection, 'methodCode' | 'quoteId'>,
): Promise<Reduction | undefined> {
  if (discountCode === undefined) return undefined;
  const owner = { brand: context.brand.code, uid: context.user.uid };
  const tried = await tryCoupon(context);
  if ('waitSeconds' in tried) return undefined;
  const found = await lookUp(context, { ...owner, code: discountCode, planId, currency, orderId }, tried);
  return 'refused' in found ? undefined : found;
}

/** Looks up a coupon. An existing coupon, usable or not, is not counted as a guess. */
async function lookUp(
  { deps: { db, clock } }: CustomerContext,
  use: CouponUse,
  { uncount }: CouponTry,
): Promise<Reduction | CouponRefusal> {
  const found = await findCoupon(db, use, clock());
  if (!('refused' in found) || found.refused !== 'invalidCoupon') await uncount();
  return found;
}

const windowMs = 15 * 60_000;
/** Unknown codes of one customer; a mistyped code costs one or two. */
const ofCustomer = { tries: 10, windowMs };
/** Unknown codes of all customers of one network, because an attacker may have many accounts. */
const fromNetwork = { tries: 100, windowMs };
/**
 * Unknown codes that each customer may try in any case, so that an attacker behind the same carrier does not lock out
 * others.
 */
const guaranteedMisses = 3;

/** A counted attempt; call `uncount` if the coupon exists. */
interface CouponTry {
  uncount(): Promise<void>;
}

/**
 * Counts an attempt at a coupon before the lookup, so that concurrent ones count too. Returns `waitSeconds` if none is
 * left.
 */
async function tryCoupon({
  deps,
  brand,
  user,
  ip,
}: CustomerContext): Promise<CouponTry | { readonly waitSeconds: number }> {
  const { db } = deps;
  const now = deps.clock();
  const own = `coupon ${brand.code} ${user.uid}`;
  const network = `coupons from ${brand.code}`;
  const mine = await countTry(db, own, ofCustomer, now);
  if (!mine.allowed) return { waitSeconds: mine.waitSeconds };
  const theirs = await countTryFrom(db, network, ip, fromNetwork, now);
  if (!theirs.allowed && mine.count > guaranteedMisses) return { waitSeconds: theirs.waitSeconds };
  return {
    uncount: async () => {
      await uncountTry(db, own);
      await uncountTryFrom(db, network, ip);
    },
  };
}

/** Like `tryCoupon`, but refuses with `tooFrequent` and `waitSeconds`. */
export async function countCouponTry(context: CustomerContext<'tooFrequent'>): Promise<CouponTry> {
  const tried = await tryCoupon(context);
  return 'waitSeconds' in tried ? context.refuse('tooFrequent', tried) : tried;
}

export const handleGoodsValuation: Handler<typeof goodsValuation> = async ({ body }, context) => {
  const { user, deps } = context;
  const { plan, method, price, facts } = await quotePurchase(context, body);
  const offer = user.sessionKind === 'box' ? undefined : offerWithPurchase(context, plan, method, facts);
  const now = deps.clock();
  const period = periodIfPaid(user, plan, now);
  const validUntil = now + quoteLifetimeMs;
  const money = (amount: number) => ({ amount, currency: body.currency });
  return {
    original: money(price.original),
    discount: money(price.discount),
    discounts: [
      { kind: 'method' as const, amount: money(price.byMethod) },
      { kind: 'coupon' as const, amount: money(price.byCoupon) },
    ].filter(({ amount }) => amount.amount > 0),
    total: money(price.total),
    quoteId: signQuote(deps.env.SIGNING_SECRET, facts, validUntil),
    validUntil,
    startsAt: period.from,
    expiryAfter: period.until,
    periods: shownPeriodsOf(await periodsOf(deps.db, user, now), context),
    renewal: offer ? { price: money(offer.price), days: plan.days, nextChargeAt: chargeTime(period.until) } : null,
  };
};

export const handleInstallmentsPlan: Handler<typeof installmentsPlan> = async ({ body }, context) => {
  const { price, method } = await quotePurchase(context, body);
  return installmentOptions(price.total, body.currency, termsOf(method, context.brand.config, body.currency));
};
