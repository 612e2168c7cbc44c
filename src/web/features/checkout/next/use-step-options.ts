import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { PaymentAnswer } from '#contract/billing.ts';
import { paymentInfo, type PaymentInfo } from '#contract/orders.ts';
import { q } from '#web/platform/api/query.ts';

/** Writes a response about a payment into the query that its page reads. */
export function showAnswer(client: QueryClient, orderId: string, answer: PaymentAnswer): void {
  const { next, status, failureCode = null } = answer;
  const { queryKey } = q(paymentInfo, { body: { orderId } });
  client.setQueryData<PaymentInfo>(
    queryKey,
    (known) => known && { ...known, next, order: { ...known.order, status, failureCode } },
  );
}

/**
 * Options of every action on a payment: its response is shown, and the state is read again after any outcome, because
 * the payment may have changed.
 */
export function useStepOptions(orderId: string, ask: () => void) {
  const client = useQueryClient();
  return {
    onSuccess: (answer: PaymentAnswer) => {
      showAnswer(client, orderId, answer);
      ask();
    },
    onError: ask,
    shows: 'all',
  } as const;
}
