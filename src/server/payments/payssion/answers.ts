import type { PaymentFailure } from '#contract/error-codes.ts';
import { fromDecimal } from '../decimal-money.ts';
import { ended, isLive, type KnownAttempt } from '../find-attempt.ts';
import type { GatewayAnswer } from '../gateway.ts';
import type { Transaction } from './client.ts';

/**
 * Payssion's states that end a payment without money (payssion-php, samples/sample_postback.php, and the longer list
 * in lua-payssion after payssion.com/en/docs).
 */
const failures: Readonly<Record<string, PaymentFailure>> = {
  error: 'paymentFailed',
  failed: 'paymentFailed',
  // by the shop or by Payssion; a payer's cancellation has its own state
  cancelled: 'paymentFailed',
  cancelled_by_user: 'paymentCancelled',
  rejected_by_bank: 'rejectedByBank',
};

/** States in which the money was received, whatever happened later. */
const paidStates: ReadonlySet<string> = new Set([
  'completed',
  'paid_more',
  'refunded',
  'refund_pending',
  'refund_failed',
  'chargeback',
]);

/** After this time a page that Payssion has not ended counts as expired. */
const forgottenAfterMs = 3 * 24 * 60 * 60_000;
/** The same for money that may be on its way. */
const onItsWayMs = 5 * 24 * 60 * 60_000;

/** The state of a payment by its transaction at Payssion; `now` in epoch milliseconds. */
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
      // its page was never shown, so it cannot be paid
      if (pageOf(attempt) === undefined) return neverShown(attempt);
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    case 'paid_partial':
      // nothing of it is recorded; the payer can still complete it
      return isForgotten(attempt, now) ? { state: 'expired', ...known } : { state: 'pending', ...known };
    default:
      return { state: 'unknown' };
  }
}

/** The state of a key that Payssion does not find. */
export function notFound(attempt: KnownAttempt, now: number): GatewayAnswer {
  if (!isLive(attempt) || pageOf(attempt) === undefined) return neverShown(attempt);
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
  return now > Math.max(expiresAt ?? 0, createdAt) + forgottenAfterMs;
}
