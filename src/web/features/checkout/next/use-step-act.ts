import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { PaymentAnswer } from '#contract/billing.ts';
import { paymentInfo, type PaymentInfo } from '#contract/orders.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';

/** Writes what a call answered about a payment where its page reads it. */
export function showAnswer(client: QueryClient, orderId: string, answer: PaymentAnswer): void {
  const { next, status, failureCode = null } = answer;
  const { queryKey } = q(paymentInfo, { body: { orderId } });
  client.setQueryData<PaymentInfo>(
    queryKey,
    (known) => known && { ...known, next, order: { ...known.order, status, failureCode } },
  );
}

/**
 * Does something about a payment ([Note: Payment steps] in the contract) and shows what it answers. Answers with the
 * error, after which the state is asked for: whatever was refused or lost, the payment may stand otherwise by now.
 */
export function useStepAct(orderId: string, ask: () => void) {
  const client = useQueryClient();
  return async (act: () => Promise<PaymentAnswer>): Promise<ApiError | undefined> => {
    try {
      showAnswer(client, orderId, await act());
      ask();
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ask();
      return error;
    }
  };
}
