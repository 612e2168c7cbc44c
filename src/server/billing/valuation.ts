import type { goodsValuation, installmentsPlan } from '#contract/billing.ts';
import type { PlanRow } from '#server/brand/catalog.ts';
import { uncountTry, uncountTryFrom, countTry, countTryFrom } from '#server/runtime/limits/throttle.ts';
import { type ChargedMethod, methodsIn } from '#server/payments/chargeable.ts';
import { ApiRefusal, refuse } from '#server/runtime/request/api-error.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { periodIfPaid } from '#server/site/availability.ts';
import { periodsOf, shownPeriodsOf } from '#server/site/periods.ts';
import { planOf } from '#server/site/plans.ts';
import { renewalOffer } from './subscriptions/offer.ts';
import { chargeTime } from './subscriptions/times.ts';
import { couponParams, type CouponRefusal, type CouponUse, findCoupon } from './coupons.ts';
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

/**
 * What a purchase costs this customer now. `pageNotFound` no such plan, `currencyUnsupported` not a currency of the brand,
 * `methodUnsupported` not a method that anybody could charge in it, `rateUnsupported` no price in it, `tooFrequent` too many
 * coupons that do not exist, and the coupon's own codes (`couponUnavailable` with the order of this customer's that holds
 * it).
 */
export async function valuate(context: CustomerContext, wish: Wish): Promise<Valuation> {
  const { brand, user, deps } = context;
  const { planId, methodCode, currency, discountCode, orderId } = wish;
  const plan = planOf(brand, planId);
  if (!brand.currencies.includes(currency)) refuse('currencyUnsupported');
  const method =
    methodsIn(context, currency).find(({ code: known }) => known === methodCode) ?? refuse('methodUnsupported');
  const original = plan.prices[currency] ?? refuse('rateUnsupported');
  const owner = { brand: brand.code, uid: user.uid };
  const use = discountCode === undefined ? undefined : { ...owner, code: discountCode, planId, currency, orderId };
  const asked = { ...owner, planId, methodCode, currency, discountCode };
  const isKnown = wasQuoted(deps.env.SIGNING_SECRET, wish.quoteId ?? '', asked);
  const coupon = use && (await (isKnown ? findCoupon(deps.db, use, deps.clock()) : lookUp(context, use)));
  if (coupon && 'refused' in coupon) refuse(coupon.refused, couponParams(coupon, context));
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
  try {
    const found = await lookUp(context, { ...owner, code: discountCode, planId, currency, orderId });
    return 'refused' in found ? undefined : found;
  } catch (error) {
    if (error instanceof ApiRefusal && error.error === 'tooFrequent') return undefined;
    throw error;
  }
}

/** A coupon that exists is no guess, whatever it is good for; nor is one that a price was named with. */
async function lookUp(context: CustomerContext, use: CouponUse): Promise<Reduction | CouponRefusal> {
  const { db, clock } = context.deps;
  const sendRefund = await countCouponTry(context);
  const found = await findCoupon(db, use, clock());
  if (!('refused' in found) || found.refused !== 'invalidCoupon') await sendRefund();
  return found;
}

const windowMs = 15 * 60_000;
/** Codes of one customer that do not exist. Whoever copies one from a leaflet mistypes it once or twice. */
const ofCustomer = { tries: 10, windowMs };
/** And of all customers of one network, where a guesser may have many accounts. */
const fromNetwork = { tries: 100, windowMs };
/** Misses that a customer has in any case, so that a guesser behind the same carrier is not noticed. */
const always = 3;

/**
 * Counts a try at a coupon before anyone looks for it, so that simultaneous ones count too. Refuses with `tooFrequent` and
 * `waitSeconds` where no try is left. The answer takes the try back: to be called when there is such a coupon.
 */
export async function countCouponTry({ deps, brand, user, ip }: CustomerContext): Promise<() => Promise<void>> {
  const { db } = deps;
  const now = deps.clock();
  const own = `coupon ${brand.code} ${user.uid}`;
  const network = `coupons from ${brand.code}`;
  const mine = await countTry(db, own, ofCustomer, now);
  if (!mine.allowed) refuse('tooFrequent', { waitSeconds: mine.waitSeconds });
  const theirs = await countTryFrom(db, network, ip, fromNetwork, now);
  if (!theirs.allowed && mine.count > always) refuse('tooFrequent', { waitSeconds: theirs.waitSeconds });
  return async () => {
    await uncountTry(db, own);
    await uncountTryFrom(db, network, ip);
  };
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
