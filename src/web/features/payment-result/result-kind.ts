import { awaitsAnswer, endOf, isLapsed, type PaymentView } from '../../domain/payments/payment-view.ts';
import type { Finishing } from './use-finish.ts';

export type ResultKind = 'succeeded' | 'pending' | 'lapsed' | 'failed' | 'cancelled' | 'checking' | 'left';

/**
 * Waiting for the customer is pending; waiting for the bank to say what happened is checking. `now` is epoch milliseconds
 * by the server's clock.
 */
export function resultKind(view: PaymentView, { busy, wants }: Finishing, now: number): ResultKind {
  const end = endOf(view.status);
  if (end) return end;
  if (busy || awaitsAnswer(view, now)) return 'checking';
  if (isLapsed(view, now)) return 'lapsed';
  // the provider has been asked, and its payer has come back without having paid
  if (wants) return 'left';
  const hasStep = view.next === undefined ? view.expiresAt !== null : view.next.type !== 'none';
  return hasStep ? 'pending' : 'checking';
}
