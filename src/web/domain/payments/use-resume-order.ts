import { nextPathOf, resultPath } from './resume-path.ts';
import { useNavigate } from '@tanstack/react-router';
import { paymentInfo } from '#contract/orders.ts';
import { attempt } from '#web/platform/api/client.ts';
import { useAction } from '#web/platform/form/use-api-mutation.ts';

/** Continues an order at its step, or at the result page, which shows its state and polls it. */
export function useResumeOrder() {
  const navigate = useNavigate();
  const { mutate, isPending } = useAction(async (orderId: string) => {
    const { result } = await attempt(paymentInfo, { body: { orderId } }, { quiet: true });
    await navigate({ href: result ? nextPathOf(result) : resultPath(orderId) });
    return {};
  });
  return { isPending, resume: mutate };
}
