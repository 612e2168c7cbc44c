import { useQueryClient } from '@tanstack/react-query';
import type { PaymentAnswer } from '../../../../contract/billing.ts';
import { paymentInfo, type PaymentInfo } from '../../../../contract/orders.ts';
import { ApiError } from '../../../platform/api/api-error.ts';
import { q } from '../../../platform/api/query.ts';

/**
 * Does something about a payment ([Note: Payment steps] in the contract) and shows what it answers. Answers with the
 * error, after which the state is asked for: whatever was refused or lost, the payment may stand otherwise by now.
 */
export function useStepAct(orderId: string, ask: () => void) {
  const client = useQueryClient();
  const take = ({ next, status, failureCode = null }: PaymentAnswer) => {
    const { queryKey } = q(paymentInfo, { body: { orderId } });
    client.setQueryData<PaymentInfo>(
      queryKey,
      (known) => known && { ...known, next, order: { ...known.order, status, failureCode } },
    );
  };
  return async (act: () => Promise<PaymentAnswer>): Promise<ApiError | undefined> => {
    try {
      take(await act());
      ask();
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ask();
      return error;
    }
  };
}
