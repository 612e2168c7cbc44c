import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { cardCodeSchema, cardSchema, payerSchema } from '#contract/card.ts';
import { refusalParamsSchema } from '#contract/envelope.ts';
import { paymentFailureOf } from '#contract/error-codes.ts';
import { text } from '#contract/fields.ts';
import { finisherSchema, nextStepSchema } from '#contract/next-step.ts';
import type { Env } from '#server/env.ts';

/**
 * [Note: Sandbox protocol] What the shop and the sandbox bank say to each other, as JSON over HTTP under
 * `/sandbox/api`, with a bearer key. The adapter of each sandboxed provider and the bank both read this file, and nothing
 * else of each other.
 */
export const bankBase = '/sandbox/api';

/** What the shop knows the bank by. */
export function bankKey(env: Pick<Env, 'SIGNING_SECRET'>): string {
  return createHmac('sha256', env.SIGNING_SECRET).update('sandbox api').digest('hex');
}

/** The secret by which the bank signs its notices to this shop. */
export function noticeSecret(env: Pick<Env, 'SIGNING_SECRET'>): string {
  return createHmac('sha256', env.SIGNING_SECRET).update('sandbox notices').digest('hex');
}

export const timestampHeader = 'x-sandbox-timestamp';
export const signatureHeader = 'x-sandbox-signature';

const codeSchema = v.pipe(
  v.number(),
  v.transform((code) => paymentFailureOf(code)),
);
const moneyAmount = v.pipe(v.number(), v.safeInteger());
const keySchema = v.pipe(v.string(), v.uuid());
const chargeKindSchema = v.picklist(['card', 'pix', 'slip', 'mobile', 'wallet', 'coin']);
export type ChargeKind = v.InferOutput<typeof chargeKindSchema>;

/** `approved`: its payer has agreed, and the shop has to take the money. */
const chargeStatusSchema = v.picklist(['challenge', 'waiting', 'approved', 'paid', 'declined', 'expired', 'refunded']);
export type ChargeStatus = v.InferOutput<typeof chargeStatusSchema>;

export const chargeRequestSchema = v.object({
  key: keySchema,
  gateway: text(20),
  kind: chargeKindSchema,
  /** who takes the money after its payer's approval; absent where approval is payment */
  finish: v.optional(finisherSchema),
  methodCode: text(32),
  brand: text(40),
  /** whose the card is that is kept */
  customer: v.optional(text(60)),
  merchantName: text(80),
  amount: moneyAmount,
  currency: text(3),
  installments: v.number(),
  card: v.optional(cardSchema),
  /** without a code: its holder is not there */
  savedCard: v.optional(v.object({ token: text(60), code: v.optional(cardCodeSchema) })),
  diallingCode: v.optional(text(4)),
  payer: payerSchema,
  returnUrl: text(1000),
  label: text(40),
});
export type ChargeRequest = v.InferOutput<typeof chargeRequestSchema>;

const gatewayCardSchema = v.object({
  token: text(60),
  brand: text(20),
  last4: text(4),
  expiryMonth: v.number(),
  expiryYear: v.number(),
  codeDigits: v.number(),
});

/** How a charge stands. `todo` is what its payer has to do, while it waits. */
export const chargeViewSchema = v.object({
  key: keySchema,
  status: chargeStatusSchema,
  amount: moneyAmount,
  currency: text(3),
  publicId: text(60),
  declineCode: v.nullable(codeSchema),
  expiresAt: v.nullable(v.number()),
  todo: v.optional(nextStepSchema),
  savedCard: v.optional(gatewayCardSchema),
  /** declined, because its holder was not there to be asked */
  asksHolder: v.optional(v.boolean()),
  /** it waits, and its payer has paid nothing at its page */
  unpaid: v.optional(v.boolean()),
  /** why a step changed nothing */
  refusal: v.optional(
    v.object({
      error: v.picklist(['operationUnsupported', 'wrongPaymentCode']),
      params: v.optional(refusalParamsSchema),
    }),
  ),
});
/** As the bank sends it. */
export type ChargeView = v.InferInput<typeof chargeViewSchema>;

/** A new card that is verified and kept without a charge. */
export const saveCardRequestSchema = v.object({
  brand: text(40),
  customer: v.optional(text(60)),
  currency: text(3),
  card: cardSchema,
});

/** The card as it is kept, or why not. */
export const saveCardViewSchema = v.object({
  savedCard: v.optional(gatewayCardSchema),
  declineCode: v.optional(codeSchema),
});

/** What the shop tells about a charge that waits, by the method of the port. */
export const stepSchema = v.variant('type', [
  v.object({ type: v.literal('confirm') }),
  v.object({ type: v.literal('reopen') }),
  v.object({ type: v.literal('submitCode'), code: text(8) }),
  v.object({ type: v.literal('chooseCoin'), coin: text(24) }),
]);
export type ChargeStep = v.InferOutput<typeof stepSchema>;

/** Gives back a part; all of it without one. */
export const refundRequestSchema = v.object({
  part: v.optional(v.object({ number: v.pipe(v.number(), v.integer(), v.minValue(1)), amount: moneyAmount })),
});

/** `never` says why it will not be done, ever. */
export const refundViewSchema = v.object({ done: v.boolean(), never: v.optional(text(200)) });

/** Of less than was paid: by the number that the shop has given it, or the bank's own name. */
const partSchema = v.union([
  v.object({ amount: moneyAmount, number: v.number() }),
  v.object({ amount: moneyAmount, ref: text(60) }),
]);

export const noticeSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^evt_[\w-]{8,64}$/)),
  event: v.picklist(['charge', 'chargeback', 'refund']),
  stage: v.optional(v.picklist(['opened', 'succeeded', 'rejected', 'cancelled'])),
  part: v.optional(partSchema),
  ...chargeViewSchema.entries,
});
export type NoticeBody = v.InferInput<typeof noticeSchema>;
