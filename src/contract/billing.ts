import * as v from 'valibot';
import { captchaAnswerFields } from './auth.ts';
import { cardCodeSchema, cardSchema, payerSchema } from './card.ts';
import { endpoint } from './endpoint.ts';
import { paymentFailures } from './error-codes.ts';
import {
  currencySchema,
  methodCodeSchema,
  orderIdSchema,
  ownPathSchema,
  planIdSchema,
  text,
  textSchema,
} from './fields.ts';
import { discountCodeSchema } from '#contract/coupons.ts';
import { moneySchema } from './money.ts';
import { flowSchema, nextStepSchema, transferFlavourSchema } from './next-step.ts';
import { orderStatusSchema } from './order-status.ts';
import { payerFieldSchema } from './payer.ts';
import { periodSchema } from './periods.ts';

/** A wallet of a device that stores a card. Its method is offered only where the device can pay that way. */
export const walletSchema = v.picklist(['applePay', 'googlePay']);
export type Wallet = v.InferOutput<typeof walletSchema>;

export const paymentMethodSchema = v.object({
  code: methodCodeSchema,
  name: text(60),
  /** the drawing of a method without a logo: `bank`, `card`, `crypto`, `mobile`, `qr`, `wallet`, or a neutral one */
  icon: text(20),
  /** percent off for this method */
  discount: v.number(),
  currencies: v.array(currencySchema),
  fields: v.array(payerFieldSchema),
  settles: v.picklist(['instant', 'minutes', 'days']),
  /** the kind of step that follows `pay` */
  flow: v.optional(flowSchema, 'none'),
  /** only for the flow `upload` */
  flavour: v.optional(transferFlavourSchema),
  /** highest number of installments for the plan without a coupon; 1 without installments */
  maxInstallments: v.number(),
  /** a new card can be saved for the next purchase */
  savesCard: v.boolean(),
  /** its cards can be charged for a renewal without the customer (off-session) */
  renews: v.optional(v.boolean(), false),
  /** an account is saved for renewals without a payment, at `openCardPage` */
  accountPage: v.optional(v.boolean(), false),
  /** country calling code of `mobile` numbers, for the requested currency */
  diallingCode: v.optional(text(4)),
  /** for a method that only some devices have */
  wallet: v.optional(walletSchema),
});
export type PaymentMethod = v.InferOutput<typeof paymentMethodSchema>;

/**
 * The payment methods for a plan in a currency. Without those whose provider has a higher minimum charge than the total
 * after `discountCode`; pay and repay refuse them with `methodUnsupported`. Invalid codes are ignored here.
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
    /** the order to repay: the coupon that it reserves counts as available */
    orderId: v.optional(orderIdSchema),
  }),
  result: v.array(paymentMethodSchema),
  reads: true,
  errors: ['pageNotFound', 'currencyUnsupported'],
});

/**
 * Errors of a price. `couponUnavailable` with `orderId`: another order of the customer reserves the coupon.
 * `couponNotVerified` with `onlyFor`: what the coupon is restricted to. `tooFrequent` with `waitSeconds`: too many
 * unknown coupons.
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
const pricedPurchase = {
  ...purchase,
  discountCode: v.optional(discountCodeSchema),
  /** the order to repay: the coupon that it reserves counts as available */
  orderId: v.optional(orderIdSchema),
};

/**
 * The price of a purchase, fixed until `validUntil`; `quoteId` is sent to pay. The method's discount on the plan's
 * price is subtracted first, then the coupon from the rest; the total is never below zero.
 */
const quoteSchema = v.object({
  original: moneySchema,
  discount: moneySchema,
  /** the parts of `discount`, in the order of subtraction */
  discounts: v.optional(v.array(v.object({ kind: v.picklist(['method', 'coupon']), amount: moneySchema })), []),
  total: moneySchema,
  quoteId: text(400),
  validUntil: v.number(),
  /** when the access will end if this is paid now */
  expiryAfter: v.number(),
  /**
   * when the days of this purchase begin, and what runs until then; in the grace period they count from the end of the
   * paid days
   */
  startsAt: v.optional(v.number()),
  periods: v.optional(v.array(periodSchema), []),
  /** the renewal terms that the customer can accept; null if the plan, brand or method does not offer renewal */
  renewal: v.optional(v.nullable(v.object({ price: moneySchema, days: v.number(), nextChargeAt: v.number() })), null),
});
export type Quote = v.InferOutput<typeof quoteSchema>;

/** The price of a purchase: what the checkout shows and `pay` charges. */
export const goodsValuation = endpoint({
  name: 'goodsValuation',
  method: 'POST',
  path: '/api/bill/goodsValuation',
  access: 'customer',
  body: v.strictObject(pricedPurchase),
  result: quoteSchema,
  reads: true,
  errors: valuationRefusals,
});

/**
 * `amount` is the first (largest) installment, `total` the sum of all; `rate` is monthly interest, 0.0199 for 1.99 %.
 * Installments below the brand's `smallestInstallment` are not offered; pay and repay refuse them with
 * `invalidRequest`, field `installments`.
 */
const installmentOptionSchema = v.object({
  count: v.number(),
  amount: moneySchema,
  total: moneySchema,
  rate: v.number(),
  interestFree: v.boolean(),
});
export type InstallmentOption = v.InferOutput<typeof installmentOptionSchema>;

/** The numbers of installments for a purchase with a card, each with its total. */
export const installmentsPlan = endpoint({
  name: 'installmentsPlan',
  method: 'POST',
  path: '/api/bill/installmentsPlan',
  access: 'customer',
  body: v.strictObject({
    ...pricedPurchase,
    /** first six to eight digits of the card, if known */
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
  /** a saved card; paid with its security code, except for methods with `cardPage` */
  cardId: v.optional(text(40)),
  cardCode: v.optional(cardCodeSchema),
  /** for `cardPage`: save the card typed on the provider's page */
  saveCard: v.optional(v.boolean()),
  /** renew the plan with this card, which is then saved; `operationUnsupported` if renewal is not offered */
  renew: v.optional(v.boolean()),
  payer: payerSchema,
  /** [Note: Kept payer]: stored payer fields replace missing ones, and the fields sent are stored */
  keepPayer: v.optional(v.boolean()),
  /** the path that the payer returns to, to which the backend appends `?orderId=…&token=…`, its order and result token */
  returnUrl: ownPathSchema,
  source: v.picklist(['WEB', 'STB']),
  /** after `wrongCaptcha`, with the same Idempotency-Key: a ticket for the session's account (captcha.ts) */
  ...captchaAnswerFields,
};

/** The result of pay and repay. `SUBMITTED` with the next step `none`: the outcome is unknown yet, keep polling. */
export const paymentAnswerSchema = v.object({
  orderId: orderIdSchema,
  status: orderStatusSchema,
  /** as in an order */
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
 * Starts a purchase. Requires an Idempotency-Key: the same key and body return the same order, with any `quoteId`,
 * `returnUrl` and security code; another body is refused with `invalidRequest`, field `Idempotency-Key`.
 * `placePaymentFailed` with `newTotal` if the price has changed, or the quote is expired, unknown or of another purchase.
 * A decline returns its code and `params.orderId`: that order is repaid, not replaced. Many declines, attempts or open
 * orders require a captcha (`wrongCaptcha`), more of them a wait (`tooFrequent`, `waitSeconds`); neither consumes the key.
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
 * Pays an order whose last attempt failed or expired. `orderNotFound` if it belongs to another customer. A pending
 * attempt is first cancelled at its provider if another method is chosen, or for the same method with `replaceAttempt`
 * (a mistyped number); otherwise it continues. For an order that is paid or cancelled, its current state is returned.
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
