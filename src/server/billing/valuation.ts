import { refuse } from '../api-error.ts';
import type { MethodRow, PlanRow } from '../brand/catalog.ts';
import { methodsIn } from '../payments/chargeable.ts';
import type { CustomerContext } from '../request-context.ts';
import { planOf } from '../site/plans.ts';
import { countCouponTry } from './coupon-limits.ts';
import { findCoupon, type CouponRefusal, type CouponUse } from './coupons.ts';
import { priceOf, type Price, type Reduction } from './pricing.ts';
import { wasQuoted, type QuoteFacts } from './quote.ts';

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
  readonly method: MethodRow;
  readonly price: Price;
  readonly facts: QuoteFacts;
}

/**
 * What a purchase costs this customer now. 6001 no such plan, -2408 not a currency of the brand, -2502 not a method that
 * anybody could charge in it, 1030 no price in it, -3031 too many coupons that do not exist, and the coupon's own codes
 * (9000 with the order of this customer's that holds it).
 */
export async function valuate(context: CustomerContext, wish: Wish): Promise<Valuation> {
  const { brand, user, deps } = context;
  const { planId, methodCode, currency, discountCode: code, orderId } = wish;
  const plan = planOf(brand, planId);
  if (!brand.currencies.includes(currency)) refuse(-2408);
  const method = methodsIn(context, currency).find(({ code: known }) => known === methodCode) ?? refuse(-2502);
  const original = plan.prices[currency] ?? refuse(1030);
  const owner = { brand: brand.code, uid: user.uid };
  const use = code === undefined ? undefined : { ...owner, code, planId, currency, orderId };
  const asked = { ...owner, planId, methodCode, currency, coupon: code };
  const isKnown = wasQuoted(deps.env.SIGNING_SECRET, wish.quoteId ?? '', asked);
  const coupon = use && (await (isKnown ? findCoupon(deps.db, use, deps.clock()) : lookUp(context, use)));
  if (coupon && 'refused' in coupon) refuse(coupon.refused, coupon.orderId ? { orderId: coupon.orderId } : undefined);
  const price = priceOf(original, method.discount, coupon);
  return { plan, method, price, facts: { ...asked, total: price.total } };
}

/** A coupon that exists is no guess, whatever it is good for; nor is one that a price was named with. */
async function lookUp(context: CustomerContext, use: CouponUse): Promise<Reduction | CouponRefusal> {
  const { db, clock } = context.deps;
  const giveBack = await countCouponTry(context);
  const found = await findCoupon(db, use, clock());
  if (!('refused' in found) || found.refused !== unknownCoupon) await giveBack();
  return found;
}

const unknownCoupon = 9001;
