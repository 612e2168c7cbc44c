import * as v from 'valibot';
import { endpoint } from '#contract/endpoint.ts';
import { emptySchema, orderIdSchema, planIdSchema, text, textSchema } from '#contract/fields.ts';
import { moneySchema } from '#contract/money.ts';
import { withLatinLetters, withLunateSigma } from '#contract/confusables.ts';
import { normalizeToken } from '#contract/normalize-text.ts';

/** Labels before a code in an email, in capitals and without spaces and accents. */
const label = /^(?:(?:COUPON|PROMO|VOUCHER|DISCOUNT)?(?:CODE)?|CODIGO|CUPOM|CUPON|КОД|ПРОМОКОД|КУПОН):/;
const around = /^[^\p{L}\p{N}-]+|[^\p{L}\p{N}-]+$/gu;

/**
 * A typed, pasted or dictated coupon code in its issued form: without spaces, accents, label and surrounding
 * punctuation, in capitals, with Latin letters instead of Cyrillic and Greek look-alikes.
 */
export function normalizeCoupon(text: string): string {
  const capitals = normalizeToken(withLunateSigma(text)).toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
  const bare = capitals.replace(around, '').replace(label, '').replace(around, '');
  return withLatinLetters(bare);
}

/** Not in fields.ts: only pages with a coupon need the table of look-alikes. */
export const discountCodeSchema = v.pipe(textSchema, v.transform(normalizeCoupon), v.regex(/^[A-Z0-9-]{2,32}$/));

/**
 * - `usable`: the checkout accepts it now, within its restrictions.
 * - `later`: it is valid from `startsAt`.
 * - `held`: the customer's open order `orderId` reserves it.
 * - `used`: it paid for the customer's order `orderId` and cannot be used again.
 * - `expired`: it is no longer valid. `unavailable`: it is used up, for a first purchase only, or for plans no longer
 *   sold.
 */
const couponStateSchema = v.picklist(['usable', 'later', 'held', 'used', 'expired', 'unavailable']);
export type CouponState = v.InferOutput<typeof couponStateSchema>;

/** What a refused coupon is restricted to. Epoch milliseconds; `before` is exclusive. */
export const couponTermsSchema = v.union([
  v.literal('firstPurchase'),
  v.object({ plans: v.array(text(80)) }),
  v.object({ currency: text(3) }),
  v.object({ from: v.number() }),
  v.object({ before: v.number() }),
]);
export type CouponTerms = v.InferOutput<typeof couponTermsSchema>;

/** One of the customer's coupons: granted, added, or reserved by an open order. Timestamps are epoch milliseconds. */
const ownCouponSchema = v.object({
  code: text(32),
  /** what it takes off: `percent`, or else `amount` */
  percent: v.nullable(v.number()),
  amount: v.nullable(moneySchema),
  /** the plans that it is for; empty means all */
  plans: v.array(v.object({ planId: planIdSchema, planName: text(80) })),
  firstPurchaseOnly: v.boolean(),
  startsAt: v.number(),
  endsAt: v.number(),
  state: couponStateSchema,
  orderId: v.nullable(orderIdSchema),
});
export type OwnCoupon = v.InferOutput<typeof ownCouponSchema>;

/** The customer's coupons, newest first. */
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
 * Adds a coupon to the customer's list, by those rules of the checkout that need no plan. `invalidCoupon`: no such
 * coupon; `couponUnavailable`: not valid now; `couponNotUsable`: for no plan on sale; `couponUsedUp`;
 * `couponNotVerified`: for a first purchase; `tooFrequent` with `waitSeconds`: too many unknown codes. A coupon already
 * in the list is returned unchanged.
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
