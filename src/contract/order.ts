import * as v from 'valibot';
import { methodCodeSchema, orderIdSchema, planIdSchema, text, textSchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { orderStatusSchema } from './order-status.ts';

/** An order as its owner sees it (spec 3). Instants are epoch milliseconds, amounts minor units. */
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
  original: moneySchema,
  discount: moneySchema,
  total: moneySchema,
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
  /** a receipt exists once money has arrived */
  receipt: v.boolean(),
});
export type Order = v.InferOutput<typeof orderSchema>;

/** The public face of a payment: its state, amount and plan, nothing personal (decisions, "Arriving"). */
export const publicPaymentSchema = v.object({
  status: orderStatusSchema,
  planName: text(80),
  total: moneySchema,
  expiresAt: v.nullable(v.number()),
  failureCode: v.nullable(v.number()),
});
export type PublicPayment = v.InferOutput<typeof publicPaymentSchema>;
