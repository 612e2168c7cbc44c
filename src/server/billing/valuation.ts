import { refuse } from '../api-error.ts';
import type { MethodRow, PlanRow } from '../brand/catalog.ts';
import type { CustomerContext } from '../request-context.ts';
import { planOf } from '../site/plans.ts';
import { findCoupon } from './coupons.ts';
import { priceOf, type Price } from './pricing.ts';
import type { QuoteFacts } from './quote.ts';

export interface Wish {
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly discountCode?: string | undefined;
  /** the order that is to be repaid: a coupon that it holds is its own */
  readonly orderId?: string | undefined;
}

/** A purchase with everything that its price follows from. */
export interface Valuation {
  readonly plan: PlanRow;
  readonly method: MethodRow;
  readonly price: Price;
  readonly facts: QuoteFacts;
}

/**
 * What a purchase costs this customer now. 6001 no such plan, -2408 not a currency of the brand, -2502 not a method for
 * it, 1030 no price in it, and the coupon's own codes (9000 with the order of this customer's that holds it).
 */
export async function valuate(context: CustomerContext, wish: Wish): Promise<Valuation> {
  const { brand, user, deps } = context;
  const { planId, methodCode, currency, discountCode: code, orderId } = wish;
  const plan = planOf(brand, planId);
  if (!brand.currencies.includes(currency)) refuse(-2408);
  const method =
    brand.methods.find((row) => row.code === methodCode && row.currencies.includes(currency)) ?? refuse(-2502);
  const original = plan.prices[currency] ?? refuse(1030);
  const owner = { brand: brand.code, uid: user.uid };
  const use = code === undefined ? undefined : { ...owner, code, planId, currency, orderId };
  const coupon = use && (await findCoupon(deps.db, use, deps.clock()));
  if (coupon && 'refused' in coupon) refuse(coupon.refused, coupon.orderId ? { orderId: coupon.orderId } : undefined);
  const price = priceOf(original, method.discount, coupon);
  return { plan, method, price, facts: { ...owner, planId, methodCode, currency, coupon: code, total: price.total } };
}
