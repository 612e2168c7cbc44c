import * as v from 'valibot';
import { captchaAnswerFields } from './auth.ts';
import { cardCodeSchema, cardSchema, payerSchema } from './card.ts';
import { endpoint } from './endpoint.ts';
import { paymentFailures } from './error-codes.ts';
import {
  methodCodeSchema,
  orderIdSchema,
  ownPathSchema,
  planIdSchema,
  text,
  textSchema,
  currencySchema,
} from './fields.ts';
import { discountCodeSchema } from './typed-coupon.ts';
import { moneySchema } from './money.ts';
import { flowSchema, nextStepSchema, transferFlavourSchema } from './next-step.ts';
import { orderStatusSchema } from './order-status.ts';
import { periodSchema } from './periods.ts';

/**
 * Which groups of fields a method asks the payer for. `mobile` is the number that mobile money is taken from. `cardPage`: the
 * card is typed at the provider's own page, so that nothing of it is asked for here, not even the code of a saved one.
 */
export const payerFieldSchema = v.picklist([
  ...(['card', 'cardPage', 'name', 'document', 'birthDate', 'phone', 'mobile', 'address'] as const),
]);
export type PayerField = v.InferOutput<typeof payerFieldSchema>;

export const paymentMethodSchema = v.object({
  code: methodCodeSchema,
  name: text(60),
  icon: text(20),
  /** percent off for paying this way */
  discount: v.number(),
  currencies: v.array(currencySchema),
  fields: v.array(payerFieldSchema),
  settles: v.picklist(['instant', 'minutes', 'days']),
  /** what comes after pay */
  flow: v.optional(flowSchema, 'none'),
  /** of a flow that is `upload` */
  flavour: v.optional(transferFlavourSchema),
  /** highest number of installments in which the plan can be paid without a coupon; 1 when there are none */
  maxInstallments: v.number(),
  /** a new card can be kept for the next purchase */
  savesCard: v.boolean(),
  /** its cards can be charged for a renewal while their holder is not there */
  renews: v.optional(v.boolean(), false),
  /** country code of the numbers that `mobile` takes, in the currency that was asked for */
  diallingCode: v.optional(text(4)),
});
export type PaymentMethod = v.InferOutput<typeof paymentMethodSchema>;

/**
 * The methods by which this plan can be paid in a currency. One whose total, after `discountCode`, is below the smallest
 * charge of its provider is left out; pay and repay refuse it with `methodUnsupported`. A code that cannot be used changes
 * nothing here: `goodsValuation` says why.
 */
export const paymentMethods = endpoint({
  name: 'paymentMethods',
  method: 'POST',
  path: '/api/bill/payment/methods/v1',
  access: 'customer',
  body: v.strictObject({
    planId: planIdSchema,
    currency: currencySchema,
    discountCode: v.optional(discountCodeSchema),
    /** the order that is to be repaid: a coupon that it holds is its own */
    orderId: v.optional(orderIdSchema),
  }),
  result: v.array(paymentMethodSchema),
  reads: true,
  errors: ['pageNotFound', 'currencyUnsupported'],
});

/**
 * What a price can be refused with. `couponUnavailable` with `orderId`: another order of the customer's holds this coupon.
 * `couponNotVerified` with `onlyFor`: whom the coupon is for. `tooFrequent` with `waitSeconds`: too many coupons that do not
 * exist.
 */
const valuationRefusals = [
  'rateUnsupported',
  'pageNotFound',
  'couponUnavailable',
  'invalidCoupon',
  'couponNotUsable',
  'couponUsedUp',
  'couponNotVerified',
  'currencyUnsupported',
  'methodUnsupported',
  'tooFrequent',
] as const;

const purchase = { planId: planIdSchema, methodCode: methodCodeSchema, currency: currencySchema };

/**
 * The price of a purchase, fixed until `validUntil`. `quoteId` is what pay accepts it by. Order of reductions: the
 * method's discount on the plan's price first, then the coupon on what is left; never below zero.
 */
export const quoteSchema = v.object({
  original: moneySchema,
  discount: moneySchema,
  /** what it is made of, in the order in which it is taken off */
  discounts: v.optional(v.array(v.object({ kind: v.picklist(['method', 'coupon']), amount: moneySchema })), []),
  total: moneySchema,
  quoteId: text(400),
  validUntil: v.number(),
  /** when the service will end if this is paid now */
  expiryAfter: v.number(),
  /** when the days of this purchase begin, and what runs until then; in grace they count from where the paid days ended */
  startsAt: v.optional(v.number()),
  periods: v.optional(v.array(periodSchema), []),
  /** what a customer who lets it renew agrees to; null where neither plan, brand nor method offers it */
  renewal: v.optional(v.nullable(v.object({ price: moneySchema, days: v.number(), nextChargeAt: v.number() })), null),
});
export type Quote = v.InferOutput<typeof quoteSchema>;

export const goodsValuation = endpoint({
  name: 'goodsValuation',
  method: 'POST',
  path: '/api/bill/goodsValuation',
  access: 'customer',
  body: v.strictObject({
    ...purchase,
    discountCode: v.optional(discountCodeSchema),
    /** the order that is to be repaid: a coupon that it holds is its own */
    orderId: v.optional(orderIdSchema),
  }),
  result: quoteSchema,
  reads: true,
  errors: valuationRefusals,
});

/**
 * `amount` is the first (largest) installment, `total` all of them; `rate` is interest a month, 0.0199 for 1.99 %. Parts
 * that would be smaller than the brand's `smallestInstallment` are not offered; pay and repay refuse them with
 * `invalidRequest`, field `installments`.
 */
export const installmentOptionSchema = v.object({
  count: v.number(),
  amount: moneySchema,
  total: moneySchema,
  rate: v.number(),
  interestFree: v.boolean(),
});
export type InstallmentOption = v.InferOutput<typeof installmentOptionSchema>;

export const installmentsPlan = endpoint({
  name: 'installmentsPlan',
  method: 'POST',
  path: '/api/bill/installmentsPlan',
  access: 'customer',
  body: v.strictObject({
    ...purchase,
    discountCode: v.optional(discountCodeSchema),
    orderId: v.optional(orderIdSchema),
    /** first six to eight digits of the card, when known */
    bin: v.optional(v.pipe(textSchema, v.regex(/^\d{6,8}$/))),
  }),
  result: v.array(installmentOptionSchema),
  reads: true,
  errors: valuationRefusals,
});

const paymentRequest = {
  ...purchase,
  installments: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24)),
  discountCode: v.optional(discountCodeSchema),
  quoteId: text(400),
  card: v.optional(cardSchema),
  /** a saved card, which is paid with together with its security code; without one where the method asks for `cardPage` */
  cardId: v.optional(text(40)),
  cardCode: v.optional(cardCodeSchema),
  /** of `cardPage`: the card that is typed there is kept for the next purchase */
  saveCard: v.optional(v.boolean()),
  /** the plan renews by the card that pays now, which is kept for it; `operationUnsupported` where it is not offered */
  renew: v.optional(v.boolean()),
  payer: payerSchema,
  /** [Note: Kept payer]: what is kept stands in for what is not sent, and what is sent is kept */
  keepPayer: v.optional(v.boolean()),
  /** where the provider sends the customer back to: a path of the storefront */
  returnUrl: ownPathSchema,
  source: v.picklist(['WEB', 'STB']),
  /** after `wrongCaptcha`, with the same Idempotency-Key: a ticket for the account of the session (captcha.ts) */
  ...captchaAnswerFields,
};

/** What pay and repay answer. An outcome that is not known yet is SUBMITTED with `next` none: keep asking. */
export const paymentAnswerSchema = v.object({
  orderId: orderIdSchema,
  status: orderStatusSchema,
  /** why it failed, when it did; a code of the catalogue */
  failureCode: v.optional(v.nullable(v.number())),
  /** reads the outcome without a session (query/token); grants nothing else */
  resultToken: text(64),
  next: nextStepSchema,
});
export type PaymentAnswer = v.InferOutput<typeof paymentAnswerSchema>;

const paymentRefusals = [
  ...paymentFailures,
  ...valuationRefusals,
  'placePaymentFailed',
  'planUnavailable',
  'resetPasswordFirst',
  'operationUnsupported',
  'accountLeaves',
  'cannotBuyPlan',
  'savedCardNotFound',
  'wrongCaptcha',
] as const;

/**
 * Starts a purchase. Needs an Idempotency-Key: the same key with the same body answers with the same order, with another
 * body it is refused with `invalidRequest` (field `Idempotency-Key`). `placePaymentFailed` with `newTotal` when the price
 * has changed. A decline answers with its code and `params.orderId`: that order is repaid, not replaced. After several
 * declines, attempts or open orders `wrongCaptcha` asks for a captcha, and after many of them `tooFrequent` tells
 * `waitSeconds`; neither consumes the key.
 */
export const pay = endpoint({
  name: 'pay',
  method: 'POST',
  path: '/api/bill/pay/v1',
  access: 'customer',
  idempotent: true,
  body: v.strictObject(paymentRequest),
  result: paymentAnswerSchema,
  errors: [...paymentRefusals, 'orderNotFound'],
});

/**
 * Pays an order whose last try failed or expired. `orderNotFound` when it is not the customer's own. A try that waits is
 * closed at its provider first when another method is chosen, or the same one `replaceAttempt` (a mistyped number); else it
 * goes on.
 */
export const repay = endpoint({
  name: 'repay',
  method: 'POST',
  path: '/api/bill/repay/v1',
  access: 'customer',
  idempotent: true,
  body: v.strictObject({ ...paymentRequest, orderId: orderIdSchema, replaceAttempt: v.optional(v.boolean()) }),
  result: paymentAnswerSchema,
  errors: [...paymentRefusals, 'orderNotFound'],
});
