import * as v from 'valibot';
import { findAttempt, webhookPath } from '../send-provider-request.ts';
import { NoticeRefused, type GatewayAnswer, type GatewayNotice } from '../gateway.ts';
import { findPush, recordPushResult, recordReversalRequest, type Push } from './pushes.ts';
import type { PaymentFailure } from '#contract/error-codes.ts';
import {
  noToken,
  pushRefused,
  callbackSchema,
  paidSchema,
  reversalResultSchema,
  type DarajaClient,
  type MpesaAccount,
} from './client.ts';
import type { Money } from '#contract/money.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';

/** The money was returned, now or by an earlier request (Reversals, "Result Codes"). */
const reversed = new Set(['0', 'R000001']);

interface Received {
  readonly rawBody: string;
  /** the last segment of the callback's address */
  readonly secret: string;
  readonly now: number;
}

/**
 * Reads a callback that came to an address made for it (`callbackSecret`). It has no timestamp and may come late, so
 * there is no time window: each address is for one payment, which a repeated callback does not pay twice.
 */
export async function readCallback(deps: MpesaDeps, { rawBody, secret, now }: Received): Promise<GatewayNotice> {
  const known = readCallbackSecret(deps.env, secret);
  if (!known) throw new NoticeRefused('the callback address is not ours');
  if (known.kind === 'push') return readPush(deps, known.key, rawBody);
  if (known.kind === 'reversal') return readReversal(deps, known.key, { rawBody, now });
  deps.log.warn({ attemptId: known.key }, 'Safaricom did not process a reversal in time; it is requested again');
  return { eventId: `timeout ${known.key} ${now}`, key: known.key, kind: 'charge', answer: { state: 'unknown' } };
}

async function readPush(deps: MpesaDeps, key: string, rawBody: string): Promise<GatewayNotice> {
  const { db, log } = deps;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), callbackSchema), rawBody);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const {
    CheckoutRequestID: checkoutRequestId,
    ResultCode: resultCode,
    CallbackMetadata,
  } = parsed.output.Body.stkCallback;
  const notice = { eventId: `${checkoutRequestId} ${resultCode}`, key, kind: 'charge' } as const;
  const push = await findPush(db, key);
  if (!push) return { ...notice, answer: { state: 'unknown' } };
  if (push.checkoutRequestId !== null && push.checkoutRequestId !== checkoutRequestId)
    throw new NoticeRefused('it is about another request');
  if (configurationErrors.has(resultCode))
    log.error({ attemptId: key, resultCode }, "M-Pesa rejects the request because of the shop's configuration");
  const end = answerOfResult(resultCode);
  if (end.state !== 'succeeded') {
    if (end.state === 'unknown') log.warn({ attemptId: key, resultCode }, 'M-Pesa returned an undocumented result');
    else await recordPushResult(db, key, { resultCode, checkoutRequestId });
    return { ...notice, answer: { ...end, providerRef: checkoutRequestId } };
  }
  const items = Object.fromEntries(CallbackMetadata?.Item.map(({ Name, Value }) => [Name, Value]) ?? []);
  const paid = v.safeParse(paidSchema, items);
  if (!paid.success) throw new NoticeRefused('it reports a payment without its amount');
  const { MpesaReceiptNumber: receipt, Amount } = paid.output;
  const amount = fromMpesa(Amount);
  const attempt = await findAttempt(db, key);
  if (attempt?.amount === amount) await recordPushResult(db, key, { resultCode, receipt, checkoutRequestId });
  const answer: GatewayAnswer = { state: 'succeeded', amount, currency: 'KES' };
  return { ...notice, answer: withProviderRef({ ...push, receipt, checkoutRequestId }, answer) };
}

async function readReversal(
  { db, log }: MpesaDeps,
  key: string,
  { rawBody, now }: Pick<Received, 'rawBody' | 'now'>,
): Promise<GatewayNotice> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), reversalResultSchema), rawBody);
  if (!parsed.success) throw new NoticeRefused('the body cannot be read');
  const { ResultCode: resultCode, ConversationID: eventId } = parsed.output.Result;
  const push = await findPush(db, key);
  if (push && reversed.has(resultCode)) {
    await recordReversalRequest(db, key, { reversedAt: push.reversedAt ?? now });
    return { eventId, key, kind: 'refund', stage: 'succeeded', answer: withProviderRef(push, { state: 'succeeded' }) };
  }
  log.error({ attemptId: key, resultCode }, 'M-Pesa has not reversed a payment; the reversal is requested again');
  return { eventId, key, kind: 'charge', answer: { state: 'unknown' } };
}

/**
 * What M-Pesa's results mean for the customer (developer.safaricom.co.ke, M-Pesa Express Simulate, "Result codes").
 * Unpublished codes such as 1031 are not listed: whether they moved money is inquired, not guessed.
 */
const failures: Readonly<Record<string, PaymentFailure>> = {
  // insufficient balance
  '1': 'insufficientFunds',
  // below or above the limits of a payment, a day or the short code's balance
  '2': 'paymentFailed',
  '3': 'paymentFailed',
  '4': 'paymentFailed',
  '8': 'paymentFailed',
  // the same amount from the same number within two minutes; another prompt on the phone
  '17': 'tooFrequent',
  '1001': 'tooFrequent',
  // M-Pesa is busy and showed no prompt
  '26': 'tooFrequent',
  // the prompt was too long to be shown
  '1025': 'paymentFailed',
  // cancelled on the phone
  '1032': 'paymentCancelled',
  // a wrong or locked PIN
  '2001': 'paymentFailed',
  '8006': 'paymentFailed',
  // the prompt could not be sent
  '9999': 'paymentFailed',
  // the short code is configured differently at Safaricom
  '2028': 'paymentFailed',
  SFC_IC0003: 'paymentFailed',
  // inquired about before it was pushed; nothing was sent
  closed: 'paymentFailed',
};

/** The payer did not respond in time, or the phone was unreachable: the payment can be retried. */
const expiries = new Set(['1019', '1037']);

/** Results that are caused by the shop's own configuration. */
export const configurationErrors = new Set(['1025', '2028', 'SFC_IC0003']);

/** How a payment has ended by its result; `unknown` for an unpublished code. */
export function answerOfResult(resultCode: string): GatewayAnswer {
  if (resultCode === '0') return { state: 'succeeded' };
  if (expiries.has(resultCode)) return { state: 'expired' };
  const failure = Object.hasOwn(failures, resultCode) ? failures[resultCode] : undefined;
  return failure === undefined ? { state: 'unknown' } : { state: 'failed', failure };
}

/**
 * The failure for a refusal after which no prompt was shown; otherwise undefined. One code is used for an unknown
 * short code, a wrong password and a busy phone; the message distinguishes them, and none of them pushes.
 */
export function refusedPush(errorCode: string, errorMessage: string): PaymentFailure | undefined {
  if (errorCode === noToken) return 'paymentFailed';
  if (errorCode === pushRefused)
    return /lock subscriber|in process/i.test(errorMessage) ? 'tooFrequent' : 'paymentFailed';
  if (/^(?:400|404|405)\./.test(errorCode) || errorCode === '405.001') return 'paymentFailed';
  // rate limited before processing; "busy" with the same code proves nothing
  if (/spike arrest|quota/i.test(errorMessage)) return 'tooFrequent';
  return undefined;
}

/** Adds the provider's ID: the receipt or, until there is one, Daraja's ID. */
export function withProviderRef({ receipt, checkoutRequestId }: Push, answer: GatewayAnswer): GatewayAnswer {
  const providerRef = receipt ?? checkoutRequestId;
  return { ...answer, ...(providerRef !== null && { providerRef }) };
}

/** Minor units of a shilling: M-Pesa moves whole Kenyan shillings ("M-Pesa Express Simulate", `Amount`). */
export const shillingUnit = 100;

/** The largest payment, in shillings (M-Pesa Express Simulate, FAQ 5). */
const mostShillings = 250_000;

/** The limits in minor units: whole shillings, at least one (M-Pesa Express Simulate, `Amount`). */
export const mpesaLimits = {
  unit: shillingUnit,
  minimum: shillingUnit,
  maximum: mostShillings * shillingUnit,
} as const;

export const isAcceptedByMpesa = (currency: string): boolean => currency === 'KES';

/** An amount in whole shillings. Undefined if it would have to be rounded or exceeds the largest payment. */
export function toMpesa({ amount, currency }: Money): number | undefined {
  if (!isAcceptedByMpesa(currency) || amount <= 0 || amount % shillingUnit !== 0) return undefined;
  const shillings = amount / shillingUnit;
  return shillings > mostShillings ? undefined : shillings;
}

/** An amount of M-Pesa in cents; it is a decimal number, such as 1290.00. */
export const fromMpesa = (shillings: number): number => Math.round(shillings * shillingUnit);

export interface MpesaDeps extends Pick<Deps, 'db' | 'clock' | 'log' | 'catalog' | 'env'> {
  readonly account: MpesaAccount;
  readonly client: DarajaClient;
}

/** The kind of a callback: the result of a push or of a reversal, or a reversal that timed out at Safaricom. */
type CallbackKind = 'push' | 'reversal' | 'timeout';
const kinds: readonly CallbackKind[] = ['push', 'reversal', 'timeout'];

/**
 * The secret last segment of a callback address. Daraja signs nothing, so each request has its own address, which
 * contains the payment's key and a MAC of this server. Only Safaricom receives it, over TLS. It is compared in
 * constant time and never logged; a proxy in front must not log it either.
 */
export function callbackSecret(env: Pick<Env, 'SIGNING_SECRET'>, kind: CallbackKind, key: string): string {
  return `${kind}.${key}.${macOf(env, kind, key).toString('hex')}`;
}

/** The payment of a callback; undefined for an address that was not made here. */
function readCallbackSecret(
  env: Pick<Env, 'SIGNING_SECRET'>,
  secret: string,
): { kind: CallbackKind; key: string } | undefined {
  const [, told, key, code] = /^(\w{4,8})\.([\w-]{1,64})\.([\da-f]{64}|[\w-]{43})$/.exec(secret) ?? [];
  const kind = kinds.find((one) => one === told);
  if (kind === undefined || key === undefined || code === undefined) return undefined;
  // Compared as text, because the last character of base64url has spare bits and several spellings. Payments that began
  // before an update have the MAC in base64url.
  const given = Buffer.from(code);
  const expected = Buffer.from(macOf(env, kind, key).toString(code.length === 64 ? 'hex' : 'base64url'));
  return given.length === expected.length && timingSafeEqual(given, expected) ? { kind, key } : undefined;
}

function macOf(env: Pick<Env, 'SIGNING_SECRET'>, kind: CallbackKind, key: string): Buffer {
  return createHmac('sha256', derivedKey(env, 'mpesa callback')).update(`${kind} ${key}`).digest();
}

/**
 * The address of a callback, at the host of the brand. Daraja refuses addresses that contain words such as `mpesa`,
 * `safaricom`, `sql`, `exe` and `cmd`, so the path is neutral and the MAC is hexadecimal.
 */
export function callbackUrl({ catalog }: MpesaDeps, brand: string, secret: string): string {
  return `${catalog.byCode(brand)?.origin ?? ''}${webhookPath('mpesa')}/${secret}`;
}
