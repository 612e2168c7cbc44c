import { awaitsAnswer, endOf, isStepExpired, type PaymentView } from '#web/domain/payments/payment-view.ts';
import type { Finishing } from './use-finish.ts';

export type ResultKind =
  | 'succeeded'
  | 'pending'
  | 'lapsed'
  | 'failed'
  | 'cancelled'
  /** an answer is awaited, and the customer need not act */
  | 'checking'
  /** returned from the page of a provider that has not reported the outcome yet */
  | 'returned'
  /** returned from the page of a provider that has reported that nothing was paid */
  | 'left';

/**
 * Waiting for the customer is `pending`; waiting for the bank's result is `checking`. The customer may have paid at the
 * provider's page, so only the provider's report makes it `left`. `now` is epoch milliseconds by the server's clock.
 */
export function resultKind(view: PaymentView, { busy, wants, unpaid }: Finishing, now: number): ResultKind {
  const end = endOf(view.status);
  if (end) return end;
  if (busy || awaitsAnswer(view, now)) return 'checking';
  if (isStepExpired(view, now)) return 'lapsed';
  if (unpaid) return 'left';
  const step = view.next?.type ?? (view.expiresAt === null ? 'none' : view.flow);
  if (wants || step === 'redirect') return 'returned';
  return step === 'none' ? 'checking' : 'pending';
}
