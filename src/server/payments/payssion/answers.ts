import type { PaymentFailure } from '#contract/error-codes.ts';
import { fromDecimal } from '../decimal-money.ts';
import { ended, isLive, type KnownAttempt } from '../find-attempt.ts';
import type { GatewayAnswer } from '../gateway.ts';
import type { Transaction } from './client.ts';

/**
 * Payssion's states (payssion-php, samples/sample_postback.php, and the longer list of lua-payssion after
 * payssion.com/en/docs) that end a payment without money.
 */
const failures: Readonly<Record<string, PaymentFailure>> = {
  error: 'paymentFailed',
  failed: 'paymentFailed',
  // by the shop or by Payssion; a payer has a state of their own
  cancelled: 'paymentFailed',
  cancelled_by_user: 'paymentCancelled',
  rejected_by_bank: 'rejectedByBank',
};

/** The money was here, whatever became of it. */
const paidStates: ReadonlySet<string> = new Set([
  'completed',
  'paid_more',
  'refunded',
  'refund_pending',
  'refund_failed',
  'chargeback',
]);

/** Nobody waits any more for a page that Payssion has not ended by then. */
const forgottenAfterMs = 3 * 24 * 60 * 60_000;
/** And so long for money that may be on its way already. */
const onItsWayMs = 5 * 24 * 60 * 60_000;

/** How a payment stands by what Payssion says of its transaction; `now` in epoch milliseconds. */
export function answerOf(transaction: Transaction, attempt: KnownAttempt, now: number): GatewayAnswer {
  const { transaction_id: providerRef, state, amount, currency } = transaction;
  const asked = amount !== undefined && currency !== undefined ? fromDecimal(amount, currency) : undefined;
  const known = { providerRef, ...asked };
  if (paidStates.has(state)) return { state: 'succeeded', ...known };
  const failure = Object.hasOwn(failures, state) ? failures[state] : undefined;
  if (failure !== undefined) return { state: 'failed', ...known, failure };
  switch (state) {
    case 'expired':
      return { state: 'expired', ...known };
    case 'awaiting_confirm':
      return { state: 'pending', ...known, expiresAt: Math.max(attempt.expiresAt ?? 0, now) + onItsWayMs };
    case 'pending':
      // its page was told to nobody, so nobody can pay at it
      if (pageOf(attempt) === undefined) return unheard(attempt);
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    case 'paid_partial':
      // nothing of it is the shop's to book; its payer can still complete it
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    default:
      return { state: 'unknown' };
  }
}

/** What a key that Payssion does not find has come to. */
export function notFound(attempt: KnownAttempt, now: number): GatewayAnswer {
  if (!isLive(attempt) || pageOf(attempt) === undefined) return unheard(attempt);
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
  return now > Math.max(expiresAt ?? 0, createdAt) + forgottenAfterMs;
}
