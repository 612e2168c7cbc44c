import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { cardCodeSchema, cardSchema, payerSchema } from '#contract/card.ts';
import { refusalParamsSchema } from '#contract/envelope.ts';
import { paymentFailureOf } from '#contract/error-codes.ts';
import { text } from '#contract/fields.ts';
import { confirmingProviderSchema, nextStepSchema } from '#contract/next-step.ts';
import type { Env } from '#server/env.ts';

/**
 * The protocol between the server and the sandbox bank: JSON over HTTP under `/sandbox/api`, with a bearer key. The
 * adapters and the bank share only this file.
 */
export const bankBase = '/sandbox/api';

/** The server's API key at the bank. */
export function bankKey(env: Pick<Env, 'SIGNING_SECRET'>): string {
  return createHmac('sha256', env.SIGNING_SECRET).update('sandbox api').digest('hex');
}

/** The secret that the bank signs its notices with. */
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

/** `approved`: the payer has agreed, and the server still has to take the money. */
const chargeStatusSchema = v.picklist(['challenge', 'waiting', 'approved', 'paid', 'declined', 'expired', 'refunded']);
export type ChargeStatus = v.InferOutput<typeof chargeStatusSchema>;

export const chargeRequestSchema = v.strictObject({
  key: keySchema,
  gateway: text(20),
  kind: chargeKindSchema,
  /** the provider that takes the money after the payer's approval; absent if approval is payment */
  finish: v.optional(confirmingProviderSchema),
  methodCode: text(32),
  brand: text(40),
  /** the owner of a card to be saved */
  customer: v.optional(text(60)),
  merchantName: text(80),
  amount: moneyAmount,
  currency: text(3),
  installments: v.number(),
  card: v.optional(cardSchema),
  /** without a code: an off-session charge */
  savedCard: v.optional(v.strictObject({ token: text(60), code: v.optional(cardCodeSchema) })),
  diallingCode: v.optional(text(4)),
  payer: payerSchema,
  returnUrl: text(1000),
  label: text(40),
});
export type ChargeRequest = v.InferOutput<typeof chargeRequestSchema>;

export const gatewayCardSchema = v.strictObject({
  token: text(60),
  brand: text(20),
  last4: text(4),
  expiryMonth: v.number(),
  expiryYear: v.number(),
  codeDigits: v.number(),
});

/** The state of a charge. `todo` is the payer's next step while it is pending. */
export const chargeViewSchema = v.strictObject({
  key: keySchema,
  status: chargeStatusSchema,
  amount: moneyAmount,
  currency: text(3),
  publicId: text(60),
  declineCode: v.nullable(codeSchema),
  expiresAt: v.nullable(v.number()),
  todo: v.optional(nextStepSchema),
  savedCard: v.optional(gatewayCardSchema),
  /** declined, because the cardholder was not present to confirm */
  asksHolder: v.optional(v.boolean()),
  /** pending, and the payer has not paid on its page */
  unpaid: v.optional(v.boolean()),
  /** why a step changed nothing */
  refusal: v.optional(
    v.strictObject({
      error: v.picklist(['operationUnsupported', 'wrongPaymentCode']),
      params: v.optional(refusalParamsSchema),
    }),
  ),
});
/** As the bank sends it. */
export type ChargeView = v.InferInput<typeof chargeViewSchema>;

/** A new card that is verified and saved without a charge. */
export const saveCardRequestSchema = v.strictObject({
  brand: text(40),
  customer: v.optional(text(60)),
  currency: text(3),
  card: cardSchema,
});

/** The saved card, or the reason of a refusal. */
export const saveCardViewSchema = v.strictObject({
  savedCard: v.optional(gatewayCardSchema),
  declineCode: v.optional(codeSchema),
});

/** A step that the server applies to a pending charge. */
export const stepSchema = v.variant('type', [
  v.strictObject({ type: v.literal('confirm') }),
  v.strictObject({ type: v.literal('reopen') }),
  v.strictObject({ type: v.literal('submitCode'), code: text(8) }),
  v.strictObject({ type: v.literal('chooseCoin'), coin: text(24) }),
]);
export type ChargeStep = v.InferOutput<typeof stepSchema>;

/** Refunds a part, or everything if no part is given. */
export const refundRequestSchema = v.strictObject({
  part: v.optional(v.strictObject({ number: v.pipe(v.number(), v.integer(), v.minValue(1)), amount: moneyAmount })),
});

/** `never`: the reason of a final refusal. */
export const refundViewSchema = v.strictObject({ done: v.boolean(), never: v.optional(text(200)) });

/** A partial refund: by the server's number, or by the bank's own name. */
const partSchema = v.union([
  v.strictObject({ amount: moneyAmount, number: v.number() }),
  v.strictObject({ amount: moneyAmount, ref: text(60) }),
]);

export const noticeSchema = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^evt_[\w-]{8,64}$/)),
  event: v.picklist(['charge', 'chargeback', 'refund']),
  stage: v.optional(v.picklist(['opened', 'succeeded', 'rejected', 'cancelled'])),
  part: v.optional(partSchema),
  disputed: v.optional(moneyAmount),
  /** until when a dispute can be answered, in epoch milliseconds */
  respondBy: v.optional(v.number()),
  ...chargeViewSchema.entries,
});
export type NoticeBody = v.InferInput<typeof noticeSchema>;
