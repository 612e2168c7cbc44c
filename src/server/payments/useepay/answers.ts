import * as v from 'valibot';
import type { PaymentFailure } from '#contract/error-codes.ts';
import { ended, isLive, type KnownAttempt } from '../find-attempt.ts';
import type { GatewayAnswer } from '../gateway.ts';
import type { Fields } from './client.ts';

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
export function answerOf(transaction: Transaction, attempt: KnownAttempt, now: number): GatewayAnswer {
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
export function notFound(attempt: KnownAttempt, now: number): GatewayAnswer {
  if (!isLive(attempt)) return ended(attempt);
  if (pageOf(attempt) === undefined) return neverShown(attempt);
  return isForgotten(attempt, now) ? { state: 'expired' } : { state: 'unknown' };
}

/** The page to which the payer was redirected. */
export function pageOf({ next }: Pick<KnownAttempt, 'next'>) {
  return next?.type === 'redirect' ? next : undefined;
}

function neverShown(attempt: KnownAttempt): GatewayAnswer {
  return isLive(attempt) ? { state: 'failed', failure: 'paymentFailed' } : ended(attempt);
}

function isForgotten({ expiresAt, createdAt }: KnownAttempt, now: number): boolean {
  return now > (expiresAt ?? createdAt) + closedAfterMs;
}
