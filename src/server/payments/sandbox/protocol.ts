import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { cardCodeSchema, cardSchema, payerSchema } from '../../../contract/card.ts';
import { refusalParamsSchema } from '../../../contract/envelope.ts';
import { isErrorCode, type ErrorCode } from '../../../contract/error-codes.ts';
import { text } from '../../../contract/fields.ts';
import { finisherSchema, nextStepSchema } from '../../../contract/next-step.ts';
import type { Env } from '../../env.ts';

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
  v.transform((code): ErrorCode => (isErrorCode(code) ? code : 2003)),
);
const moneyAmount = v.pipe(v.number(), v.safeInteger());
const keySchema = v.pipe(v.string(), v.uuid());
export const chargeKindSchema = v.picklist(['card', 'pix', 'slip', 'mobile', 'wallet', 'coin']);

export const chargeRequestSchema = v.object({
  key: keySchema,
  gateway: text(20),
  kind: chargeKindSchema,
  /** who finishes it after its payer's approval; absent where approval is payment */
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
  savedCard: v.optional(v.object({ token: text(60), code: cardCodeSchema })),
  diallingCode: v.optional(text(4)),
  payer: payerSchema,
  returnUrl: text(1000),
  label: text(40),
});
export type ChargeRequest = v.InferOutput<typeof chargeRequestSchema>;

const keptCardSchema = v.object({
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
  status: v.picklist(['challenge', 'waiting', 'approved', 'paid', 'declined', 'expired', 'refunded']),
  amount: moneyAmount,
  currency: text(3),
  publicId: text(60),
  declineCode: v.nullable(codeSchema),
  expiresAt: v.nullable(v.number()),
  todo: v.optional(nextStepSchema),
  savedCard: v.optional(keptCardSchema),
  /** why an act changed nothing */
  refusal: v.optional(v.object({ code: codeSchema, params: v.optional(refusalParamsSchema) })),
});
export type ChargeView = v.InferOutput<typeof chargeViewSchema>;

export const actSchema = v.variant('type', [
  v.object({ type: v.literal('otp'), code: text(8) }),
  v.object({ type: v.literal('finish') }),
  v.object({ type: v.literal('reopen') }),
  v.object({ type: v.literal('coin'), coin: text(24) }),
]);
export type ChargeAct = v.InferOutput<typeof actSchema>;

export const noticeSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^evt_[\w-]{8,64}$/)),
  event: v.picklist(['charge', 'chargeback', 'refund']),
  stage: v.optional(v.picklist(['opened', 'succeeded', 'rejected', 'cancelled'])),
  ...chargeViewSchema.entries,
});
export type NoticeBody = v.InferInput<typeof noticeSchema>;
