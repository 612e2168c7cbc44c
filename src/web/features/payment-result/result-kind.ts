import { awaitsAnswer, endOf, isLapsed, type PaymentView } from '../../payment-state/payment-view.ts';
import type { Finishing } from './use-finish.ts';

export type ResultKind = 'succeeded' | 'pending' | 'lapsed' | 'failed' | 'cancelled' | 'checking';

/**
 * Waiting for the customer is pending; waiting for the bank to say what happened is checking. `now` is epoch milliseconds
 * by the server's clock.
 */
export function resultKind(view: PaymentView, { busy, wants }: Finishing, now: number): ResultKind {
  const end = endOf(view.status);
  if (end) return end;
  if (busy || awaitsAnswer(view, now)) return 'checking';
  if (isLapsed(view, now)) return 'lapsed';
  const hasStep = view.next === undefined ? view.expiresAt !== null : view.next.type !== 'none';
  return hasStep || wants ? 'pending' : 'checking';
}
