import * as v from 'valibot';
import type { PaymentFailure } from '#contract/error-codes.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { Logger } from '#server/runtime/log.ts';
import {
  sendProviderRequest,
  type SendRequest,
  outcomeOfEndedAttempt,
  isLive,
  type GatewayAttempt,
} from '../send-provider-request.ts';

/**
 * The fields of a transaction that the server reads, from a response, a query or a notice (useepay.gitbook.io:
 * "notifyurl", "order-detail", "resultcode"). Card numbers and names are dropped unread.
 */
const transactionSchema = v.object({
  transactionId: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  originalTransactionId: v.optional(v.string(), ''),
  transactionType: v.optional(v.string(), 'pay'),
  reference: v.optional(v.pipe(v.string(), v.maxLength(32)), ''),
  amount: v.optional(v.pipe(v.string(), v.regex(/^\d{0,12}$/)), ''),
  currency: v.optional(v.pipe(v.string(), v.regex(/^([A-Z]{3})?$/)), ''),
  resultCode: v.string(),
  errorCode: v.optional(v.string(), ''),
  /** the bank's response, as JSON text */
  issuerResponse: v.optional(v.string(), ''),
});
export type Transaction = v.InferOutput<typeof transactionSchema>;

export function readTransaction(fields: Fields): Transaction | undefined {
  const parsed = v.safeParse(transactionSchema, fields);
  return parsed.success ? parsed.output : undefined;
}

/** The transaction in the response to a query, as JSON text; undefined if UseePay does not find it. */
export function queriedTransaction({ transactionInfo }: Fields): Transaction | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), told), transactionInfo);
  return parsed.success ? readTransaction(parsed.output) : undefined;
}
/** Values are text or numbers, or empty. */
const told = v.record(v.string(), v.pipe(v.nullish(v.union([v.string(), v.number()]), ''), v.transform(String)));

/** The bank codes (ISO 8583, field 39) that a customer can act on. */
const bankCodes: Readonly<Record<string, PaymentFailure>> = {
  '05': 'rejectedByBank',
  '14': 'wrongCardNumber',
  '51': 'insufficientFunds',
  '54': 'cardExpired',
  '57': 'cardRejected',
  '61': 'insufficientFunds',
  '62': 'cardRejected',
  N7: 'wrongCardCode',
};

const issuerSchema = v.pipe(v.string(), v.parseJson(), v.object({ issuerResponseCode: v.string() }));

/** Why a payment has failed: the bank's reason, otherwise UseePay's risk control (0053), otherwise unspecified. */
export function failureOf({
  errorCode,
  issuerResponse,
}: Pick<Transaction, 'errorCode' | 'issuerResponse'>): PaymentFailure {
  const told = v.safeParse(issuerSchema, issuerResponse);
  const bank = told.success ? told.output.issuerResponseCode : '';
  return (
    (Object.hasOwn(bankCodes, bank) ? bankCodes[bank] : undefined) ??
    (errorCode === '0053' ? 'cardRejected' : 'paymentFailed')
  );
}

/** UseePay closes an unpaid page at its end; this long after it, the page counts as expired without a report. */
const closedAfterMs = 24 * 60 * 60_000;

/** The state of a payment by its transaction; `now` in epoch milliseconds. */
export function answerOf(transaction: Transaction, attempt: GatewayAttempt, now: number): GatewayAnswer {
  const { resultCode, reference, amount, currency } = transaction;
  const known = {
    ...(reference !== '' && { providerRef: reference }),
    ...(amount !== '' && currency !== '' && { amount: Number(amount), currency }),
  };
  switch (resultCode) {
    case 'succeed':
      return { state: 'succeeded', ...known };
    case 'failed':
      return { state: 'failed', ...known, failure: failureOf(transaction) };
    case 'cancelled':
      return { state: 'failed', ...known, failure: 'paymentCancelled' };
    case 'closed':
      return { state: 'expired', ...known };
    case 'received':
      // its page was never shown, so it cannot be paid
      if (pageOf(attempt) === undefined) return neverShown(attempt);
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    case 'pending':
    case 'gather':
    case 'challenge':
      return { state: 'pending', ...known };
    default:
      return { state: 'unknown' };
  }
}

/** The state of a key that UseePay does not find. */
export function notFound(attempt: GatewayAttempt, now: number): GatewayAnswer {
  if (!isLive(attempt)) return outcomeOfEndedAttempt(attempt);
  if (pageOf(attempt) === undefined) return neverShown(attempt);
  return isForgotten(attempt, now) ? { state: 'expired' } : { state: 'unknown' };
}

/** The page to which the payer was redirected. */
export function pageOf({ next }: Pick<GatewayAttempt, 'next'>) {
  return next?.type === 'redirect' ? next : undefined;
}

function neverShown(attempt: GatewayAttempt): GatewayAnswer {
  return isLive(attempt) ? { state: 'failed', failure: 'paymentFailed' } : outcomeOfEndedAttempt(attempt);
}

function isForgotten({ expiresAt, createdAt }: GatewayAttempt, now: number): boolean {
  return now > (expiresAt ?? createdAt) + closedAfterMs;
}

/** A merchant at UseePay, with its address. */
export interface UseepayAccount {
  /** scheme and host: `https://pay-gateway.useepay.com` */
  readonly base: string;
  readonly merchantNo: string;
  readonly appId: string;
  /** base64 of DER: ours in PKCS #8, theirs as SubjectPublicKeyInfo */
  readonly privateKey: string;
  readonly publicKey: string;
  readonly authorization: 'cvv' | 'threeds2.0';
  readonly send: SendRequest;
}

type Fields = Readonly<Record<string, string>>;

export interface UseepayClient {
  /** Undefined if nothing may be concluded: no response, a broken connection, one without UseePay's signature. */
  ask(path: '/cashier' | '/api', fields: Fields): Promise<Fields | undefined>;
  /** whether UseePay has signed these fields */
  isSigned(fields: Fields): boolean;
}

/**
 * The signed text of a message: all of its fields with a value, sorted by name (useepay.gitbook.io, "signature-guide";
 * github.com/useepay2020/useepay-java, SecurityUtils): `amount=499&currency=USD...`, without `sign` itself. Of MD5 and
 * RSA with SHA-256, this adapter uses the latter.
 */
function signedText(fields: Fields): string {
  return Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function signFields(fields: Fields, key: KeyObject): string {
  return sign('sha256', Buffer.from(signedText(fields)), key).toString('base64');
}

/** Calls UseePay with form data, and accepts only signed responses. Neither key leaves this file. */
export function useepayClient(account: UseepayAccount, { log }: { log: Logger }): UseepayClient {
  const { base, merchantNo, send } = account;
  const own = createPrivateKey({ key: Buffer.from(account.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const theirs = createPublicKey({ key: Buffer.from(account.publicKey, 'base64'), format: 'der', type: 'spki' });
  const isSigned = (fields: Fields): boolean =>
    verify('sha256', Buffer.from(signedText(fields)), theirs, Buffer.from(fields['sign'] ?? '', 'base64'));
  return {
    isSigned,
    ask: async (path, asked) => {
      const fields = { ...asked, version: '1.0', signType: 'RSA', merchantNo };
      const body = new URLSearchParams({ ...fields, sign: signFields(fields, own) });
      const answer = await sendProviderRequest(send, new Request(base + path, { method: 'POST', body }), answerSchema);
      if (!answer || answer.status === 429) return undefined;
      if (isSigned(answer.body)) return answer.body;
      log.error(
        { status: answer.status, errorCode: answer.body['errorCode'] },
        'UseePay answers without its signature',
      );
      return undefined;
    },
  };
}

/** Responses are flat; nested values are JSON text, and signed as that text. */
const answerSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((told): Fields =>
    Object.fromEntries(
      Object.entries(told).flatMap(([name, value]) =>
        typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
          ? [[name, String(value)]]
          : [],
      ),
    ),
  ),
);
