import * as v from 'valibot';
import {
  idempotencyKeySchema,
  methodCodeSchema,
  orderIdSchema,
  ownPathSchema,
  planIdSchema,
} from '#contract/fields.ts';
import { stored } from './stored.ts';

const purchaseIntentSchema = v.object({
  planId: planIdSchema,
  idempotencyKey: idempotencyKeySchema,
  createdAt: v.number(),
  /** when it was first sent, and so may have been charged; epoch milliseconds */
  sentAt: v.optional(v.number()),
});
export type PurchaseIntent = v.InferOutput<typeof purchaseIntentSchema>;

export const purchaseIntentKey = (uid: string, planId: string) =>
  stored(`intent.${uid}.${planId}`, purchaseIntentSchema, 'local');

const paymentInProgressSchema = v.object({
  orderId: orderIdSchema,
  methodCode: methodCodeSchema,
  startedAt: v.number(),
  /** when the payment must have arrived, by the server's clock; null when nothing says so */
  expiresAt: v.nullable(v.number()),
  /** where the customer goes on with it */
  resumePath: ownPathSchema,
  resultToken: v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/)),
});
export type PaymentInProgress = v.InferOutput<typeof paymentInProgressSchema>;

export const paymentInProgressKey = stored('payment', paymentInProgressSchema, 'local');
