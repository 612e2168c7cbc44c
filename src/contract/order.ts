import * as v from 'valibot';
import { methodCodeSchema, orderIdSchema, planIdSchema, text, textSchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { flowSchema, proofRejectionSchema } from './next-step.ts';
import { orderStatusSchema } from './order-status.ts';

/**
 * The right to withdraw from a paid order for a refund. `possible` ends at `until`. `requested`: the refund is in
 * progress; the provider has not confirmed it yet or, with `byHand`, the brand's staff sends the money.
 */
const withdrawalSchema = v.variant('state', [
  v.object({ state: v.literal('possible'), until: v.number(), amount: moneySchema }),
  v.object({ state: v.literal('requested'), at: v.number(), amount: moneySchema, byHand: v.boolean() }),
  v.object({ state: v.literal('refused'), at: v.number(), words: v.nullable(text(400)) }),
]);
export type WithdrawalState = v.InferOutput<typeof withdrawalSchema>;

/** An order as its customer sees it. Timestamps are epoch milliseconds, amounts minor units. */
export const orderSchema = v.object({
  orderId: orderIdSchema,
  status: orderStatusSchema,
  paymentType: v.picklist(['FULL', 'INSTALLMENTS']),
  installments: v.number(),
  date: v.number(),
  planId: planIdSchema,
  planName: text(80),
  methodCode: methodCodeSchema,
  methodName: text(60),
  /** the kind of step that follows `pay` for this method */
  flow: v.optional(flowSchema, 'none'),
  original: moneySchema,
  discount: moneySchema,
  total: moneySchema,
  /** the part of the total refunded so far; null if nothing was refunded */
  refunded: v.optional(v.nullable(moneySchema), null),
  discountCode: v.nullable(textSchema),
  /** the access that it bought; null until it is paid */
  serviceStart: v.nullable(v.number()),
  serviceEnd: v.nullable(v.number()),
  /**
   * When the payment must have arrived; null if no payment is pending. An order that stays PAYMENT_PENDING afterwards can
   * be repaid; PAYMENT_CANCELLED closes it.
   */
  expiresAt: v.nullable(v.number()),
  paidAt: v.nullable(v.number()),
  /**
   * Why the payment failed; null for every other status. For any method: 302 insufficient funds, 2007 cancelled by the
   * payer, 2003 anything else. For a card: 301 declined by its issuer, 309 expired, 315 wrong security code, 5015
   * declined by the bank.
   */
  failureCode: v.nullable(v.number()),
  /** the payer has paid, and staff or a network is still verifying the money: nothing is to be paid */
  underReview: v.optional(v.boolean(), false),
  /** the proof of its transfer was rejected, and another one is required */
  rejection: v.optional(v.nullable(proofRejectionSchema), null),
  /** the last digits of the card that paid it; null for other methods */
  cardLast4: v.optional(v.nullable(v.pipe(textSchema, v.regex(/^\d{4}$/))), null),
  /** created by a renewal, not by the customer */
  renewal: v.optional(v.boolean(), false),
  /** null if the brand grants none, or nothing was paid */
  withdrawal: v.optional(v.nullable(withdrawalSchema), null),
  /** a receipt exists once money has arrived */
  receipt: v.boolean(),
});
export type Order = v.InferOutput<typeof orderSchema>;

/** What anyone with the result token may see of a payment: status, amount and plan, nothing personal. */
export const publicPaymentSchema = v.object({
  status: orderStatusSchema,
  planName: text(80),
  total: moneySchema,
  expiresAt: v.nullable(v.number()),
  /** as in an order */
  failureCode: v.nullable(v.number()),
  flow: v.optional(flowSchema, 'none'),
});
export type PublicPayment = v.InferOutput<typeof publicPaymentSchema>;
