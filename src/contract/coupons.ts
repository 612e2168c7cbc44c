import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, orderIdSchema, planIdSchema, text } from './fields.ts';
import { discountCodeSchema } from './typed-coupon.ts';
import { moneySchema } from './money.ts';

/**
 * - `usable`: the checkout takes it now, for what it is for.
 * - `later`: it begins at `startsAt`.
 * - `held`: the open order `orderId` of the customer's has it.
 * - `used`: the paid order `orderId` of the customer's was bought with it, and it buys nothing more.
 * - `expired`: its time is over. `unavailable`: others have used it up, or it is for a first purchase, or for plans that
 *   nobody sells any more.
 */
export const couponStateSchema = v.picklist(['usable', 'later', 'held', 'used', 'expired', 'unavailable']);
export type CouponState = v.InferOutput<typeof couponStateSchema>;

/** What a coupon is for, where it is refused for something else. Epoch milliseconds; `before` is the first one too late. */
export const couponTermsSchema = v.union([
  v.literal('firstPurchase'),
  v.object({ plans: v.array(text(80)) }),
  v.object({ currency: text(3) }),
  v.object({ from: v.number() }),
  v.object({ before: v.number() }),
]);
export type CouponTerms = v.InferOutput<typeof couponTermsSchema>;

/** A coupon of the customer's own: one that was given or added, or that an open order holds. Instants are epoch milliseconds. */
export const ownCouponSchema = v.object({
  code: text(32),
  /** what it takes off: percent, or else an amount */
  percent: v.nullable(v.number()),
  amount: v.nullable(moneySchema),
  /** the plans that it is for; none means all */
  plans: v.array(v.object({ planId: planIdSchema, planName: text(80) })),
  firstPurchaseOnly: v.boolean(),
  startsAt: v.number(),
  endsAt: v.number(),
  state: couponStateSchema,
  orderId: v.nullable(orderIdSchema),
});
export type OwnCoupon = v.InferOutput<typeof ownCouponSchema>;

/** The customer's coupons, those that were given last first. */
export const listCoupons = endpoint({
  name: 'listCoupons',
  method: 'POST',
  path: '/api/bill/coupon/list/v1',
  access: 'customer',
  body: emptySchema,
  result: v.object({ items: v.array(ownCouponSchema) }),
  reads: true,
});

/**
 * Adds a coupon to the customer's own, by the rules of the checkout as far as they need no plan: `invalidCoupon` no such
 * coupon, `couponUnavailable` not now, `couponNotUsable` for nothing that is sold, `couponUsedUp` used up,
 * `couponNotVerified` for a first purchase. `tooFrequent` with `waitSeconds`: too many that do not exist. One that is there
 * already is answered as it is.
 */
export const addCoupon = endpoint({
  name: 'addCoupon',
  method: 'POST',
  path: '/api/bill/coupon/add/v1',
  access: 'customer',
  body: v.strictObject({ code: discountCodeSchema }),
  result: ownCouponSchema,
  errors: ['couponUnavailable', 'invalidCoupon', 'couponNotUsable', 'couponUsedUp', 'couponNotVerified', 'tooFrequent'],
});
