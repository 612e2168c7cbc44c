import type { goodsValuation, installmentsPlan } from '#contract/billing.ts';
import type { PlanRow } from '#server/brand/catalog.ts';
import { uncountTry, uncountTryFrom, countTry, countTryFrom } from '#server/runtime/limits/throttle.ts';
import { type ChargedMethod, methodsIn } from '#server/payments/chargeable.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { periodIfPaid } from '#server/site/availability.ts';
import { periodsOf, shownPeriodsOf } from '#server/site/periods.ts';
import { planOf } from '#server/site/plans.ts';
import { renewalOffer } from './subscriptions/offer.ts';
import { chargeTime } from './subscriptions/times.ts';
import { couponParams, type CouponErrors, type CouponRefusal, type CouponUse, findCoupon } from './coupons.ts';
import { installmentOptions, type Price, priceOf, type Reduction, termsOf } from './pricing.ts';
import { type QuoteFacts, quoteLifetimeMs, signQuote, wasQuoted } from './quote.ts';

export interface Wish {
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly discountCode?: string | undefined;
  /** the order that is to be repaid: a coupon that it holds is its own */
  readonly orderId?: string | undefined;
  /** the price that was shown before, where there is one */
  readonly quoteId?: string | undefined;
}

/** A purchase with everything that its price follows from. */
export interface Valuation {
  readonly plan: PlanRow;
  readonly method: ChargedMethod;
  readonly price: Price;
  readonly facts: QuoteFacts;
}

/** What `valuate` refuses with. */
export type ValuationErrors =
  | CouponErrors
  | 'currencyUnsupported'
  | 'methodUnsupported'
  | 'pageNotFound'
  | 'rateUnsupported'
  | 'tooFrequent';

/**
 * What a purchase costs this customer now. `pageNotFound` no such plan, `currencyUnsupported` not a currency of the brand,
 * `methodUnsupported` not a method that anybody could charge in it, `rateUnsupported` no price in it, `tooFrequent` too many
 * coupons that do not exist, and the coupon's own codes (`couponUnavailable` with the order of this customer's that holds
 * it).
 */
export async function valuate(context: CustomerContext<ValuationErrors>, wish: Wish): Promise<Valuation> {
  const { brand, user, deps } = context;
  const { planId, methodCode, currency, discountCode, orderId } = wish;
  const plan = planOf(context.refuse, brand, planId);
  if (!brand.currencies.includes(currency)) context.refuse('currencyUnsupported');
  const method =
    methodsIn(context, currency).find(({ code: known }) => known === methodCode) ?? context.refuse('methodUnsupported');
  const original = plan.prices[currency] ?? context.refuse('rateUnsupported');
  const owner = { brand: brand.code, uid: user.uid };
  const use = discountCode === undefined ? undefined : { ...owner, code: discountCode, planId, currency, orderId };
  const asked = { ...owner, planId, methodCode, currency, discountCode };
  const isKnown = wasQuoted(deps.env.SIGNING_SECRET, wish.quoteId ?? '', asked);
  const coupon =
    use &&
    (await (isKnown ? findCoupon(deps.db, use, deps.clock()) : lookUp(context, use, await countCouponTry(context))));
  if (coupon && 'refused' in coupon) context.refuse(coupon.refused, couponParams(coupon, context));
  const price = priceOf(original, method.discount, coupon, method.unit);
  return { plan, method, price, facts: { ...asked, total: price.total } };
}

/** What a coupon takes off for a list of methods; undefined where it cannot be used, which the price itself says. */
export async function usableCoupon(
  context: CustomerContext,
  { discountCode, planId, currency, orderId }: Omit<Wish, 'methodCode' | 'quoteId'>,
): Promise<Reduction | undefined> {
  if (discountCode === undefined) return undefined;
  const owner = { brand: context.brand.code, uid: context.user.uid };
  const tried = await tryCoupon(context);
  if ('waitSeconds' in tried) return undefined;
  const found = await lookUp(context, { ...owner, code: discountCode, planId, currency, orderId }, tried);
  return 'refused' in found ? undefined : found;
}

/** A coupon that exists is no guess, whatever it is good for; nor is one that a price was named with. */
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
/** Codes of one customer that do not exist. Whoever copies one from a leaflet mistypes it once or twice. */
const ofCustomer = { tries: 10, windowMs };
/** And of all customers of one network, where a guesser may have many accounts. */
const fromNetwork = { tries: 100, windowMs };
/** Misses that a customer has in any case, so that a guesser behind the same carrier is not noticed. */
const always = 3;

/** A try that is counted; `uncount` is to be called when there is such a coupon. */
interface CouponTry {
  uncount(): Promise<void>;
}

/**
 * Counts a try at a coupon before anyone looks for it, so that simultaneous ones count too. Answers `waitSeconds` where no
 * try is left.
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
  if (!theirs.allowed && mine.count > always) return { waitSeconds: theirs.waitSeconds };
  return {
    uncount: async () => {
      await uncountTry(db, own);
      await uncountTryFrom(db, network, ip);
    },
  };
}

/** As `tryCoupon`; refuses with `tooFrequent` and `waitSeconds` where no try is left. */
export async function countCouponTry(context: CustomerContext<'tooFrequent'>): Promise<CouponTry> {
  const tried = await tryCoupon(context);
  return 'waitSeconds' in tried ? context.refuse('tooFrequent', tried) : tried;
}

export const handleGoodsValuation: Handler<typeof goodsValuation> = async ({ body }, context) => {
  const { user, deps } = context;
  const { plan, method, price, facts } = await valuate(context, body);
  const offer = user.sessionKind === 'box' ? undefined : renewalOffer(context, plan, method, body.currency);
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
  const { price, method } = await valuate(context, body);
  return installmentOptions(price.total, body.currency, termsOf(method, context.brand.config, body.currency));
};
