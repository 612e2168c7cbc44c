import * as v from 'valibot';
import { methodCodeSchema, orderIdSchema, planIdSchema, text, textSchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { flowSchema, proofRejectionSchema } from './next-step.ts';
import { orderStatusSchema } from './order-status.ts';

/**
 * The right to cancel a paid order and get the money back ([Note: Withdrawal]). `possible` ends at `until`; `requested`: the
 * refund is under way, and the provider has not confirmed it yet, or, `byHand`, people of the brand send the money.
 */
export const withdrawalSchema = v.variant('state', [
  v.object({ state: v.literal('possible'), until: v.number(), amount: moneySchema }),
  v.object({ state: v.literal('requested'), at: v.number(), amount: moneySchema, byHand: v.boolean() }),
  v.object({ state: v.literal('refused'), at: v.number(), words: v.nullable(text(400)) }),
]);
export type WithdrawalState = v.InferOutput<typeof withdrawalSchema>;

/** An order as its owner sees it. Instants are epoch milliseconds, amounts minor units. */
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
  /** what comes after paying by this method */
  flow: v.optional(flowSchema, 'none'),
  original: moneySchema,
  discount: moneySchema,
  total: moneySchema,
  /** of the total, what was given back so far; null where nothing was ([Note: Partial refunds]) */
  refunded: v.optional(v.nullable(moneySchema), null),
  discountCode: v.nullable(textSchema),
  /** the service that it bought; null until it is paid */
  serviceStart: v.nullable(v.number()),
  serviceEnd: v.nullable(v.number()),
  /** when the payment must have arrived; null when nothing is awaited */
  expiresAt: v.nullable(v.number()),
  paidAt: v.nullable(v.number()),
  failureCode: v.nullable(v.number()),
  /** its payer has done their part, and people or a network look whether the money has come: nothing is to be paid */
  underReview: v.optional(v.boolean(), false),
  /** the proof of its transfer was none, and another one is waited for */
  rejection: v.optional(v.nullable(proofRejectionSchema), null),
  /** the last digits of the card that paid it; null for other methods */
  cardLast4: v.optional(v.nullable(v.pipe(textSchema, v.regex(/^\d{4}$/))), null),
  /** made by a renewal, and not by hand ([Note: Renewal]) */
  renewal: v.optional(v.boolean(), false),
  /** null where the brand grants none, or nothing was paid */
  withdrawal: v.optional(v.nullable(withdrawalSchema), null),
  /** a receipt exists once money has arrived */
  receipt: v.boolean(),
});
export type Order = v.InferOutput<typeof orderSchema>;

/** The public face of a payment: its state, amount and plan, nothing personal. */
export const publicPaymentSchema = v.object({
  status: orderStatusSchema,
  planName: text(80),
  total: moneySchema,
  expiresAt: v.nullable(v.number()),
  failureCode: v.nullable(v.number()),
  flow: v.optional(flowSchema, 'none'),
});
export type PublicPayment = v.InferOutput<typeof publicPaymentSchema>;
