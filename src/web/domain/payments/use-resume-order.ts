import { useNavigate } from '@tanstack/react-router';
import { paymentInfo } from '#contract/orders.ts';
import { attempt } from '#web/platform/api/client.ts';
import { useAction } from '#web/platform/form/use-action.ts';
import { resultPath, nextPathOf } from './resume-path.ts';

/** Continues an order where it waits: at its code, or at the page that shows its state and reads it again by itself. */
export function useResumeOrder() {
  const navigate = useNavigate();
  const { mutate, isPending } = useAction(async (orderId: string) => {
    const { result } = await attempt(paymentInfo, { body: { orderId } }, { quiet: true });
    await navigate({ href: result ? nextPathOf(result) : resultPath(orderId) });
    return {};
  });
  return { isPending, resume: mutate };
}
