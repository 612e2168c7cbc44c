import * as v from 'valibot';
import type { PaymentFailure } from '#contract/error-codes.ts';
import { ended, isLive, type KnownAttempt } from '../find-attempt.ts';
import type { GatewayAnswer } from '../gateway.ts';
import type { Fields } from './client.ts';

/**
 * What this shop reads of a transaction, whether an answer, a query or a notice tells of it (useepay.gitbook.io:
 * "notifyurl", "order-detail", "resultcode"). Numbers of cards and names are dropped unread.
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
  /** the bank's own word, as JSON in a text */
  issuerResponse: v.optional(v.string(), ''),
});
export type Transaction = v.InferOutput<typeof transactionSchema>;

export function readTransaction(fields: Fields): Transaction | undefined {
  const parsed = v.safeParse(transactionSchema, fields);
  return parsed.success ? parsed.output : undefined;
}

/** Of a query, whose answer holds the transaction as JSON; undefined for one that UseePay does not find. */
export function queriedTransaction({ transactionInfo }: Fields): Transaction | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), told), transactionInfo);
  return parsed.success ? readTransaction(parsed.output) : undefined;
}
/** Values come as text or as numbers, or are empty. */
const told = v.record(v.string(), v.pipe(v.nullish(v.union([v.string(), v.number()]), ''), v.transform(String)));

/** The codes of banks (ISO 8583, field 39) that a customer can do something about. */
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

/** Why a payment has failed: what its bank has said, or else that UseePay's own watch has stopped it (0053), or neither. */
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

/** UseePay closes a page that nobody has paid at when its time is over; so long after that, nobody waits for the word. */
const closedAfterMs = 24 * 60 * 60_000;

/** What a transaction says of the payment that it was made for; `now` in epoch milliseconds. */
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
      // its page was told to nobody, so nobody can pay at it
      if (pageOf(attempt) === undefined) return unheard(attempt);
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    case 'pending':
    case 'gather':
    case 'challenge':
      return { state: 'pending', ...known };
    default:
      return { state: 'unknown' };
  }
}

/** What a key that UseePay does not find has come to. */
export function notFound(attempt: KnownAttempt, now: number): GatewayAnswer {
  if (!isLive(attempt)) return ended(attempt);
  if (pageOf(attempt) === undefined) return unheard(attempt);
  return isForgotten(attempt, now) ? { state: 'expired' } : { state: 'unknown' };
}

/** The page that the payer was sent to. */
export function pageOf({ next }: Pick<KnownAttempt, 'next'>) {
  return next?.type === 'redirect' ? next : undefined;
}

function unheard(attempt: KnownAttempt): GatewayAnswer {
  return isLive(attempt) ? { state: 'failed', failure: 'paymentFailed' } : ended(attempt);
}

function isForgotten({ expiresAt, createdAt }: KnownAttempt, now: number): boolean {
  return now > (expiresAt ?? createdAt) + closedAfterMs;
}
