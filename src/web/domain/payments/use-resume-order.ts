import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paymentInfo } from '#contract/orders.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { resultPath, nextPathOf } from './resume-path.ts';

/** Goes on with an order where it waits: at its code, or at the page that tells how it stands and asks for itself. */
export function useResumeOrder() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const pathOf = async (orderId: string): Promise<string> => {
    try {
      return nextPathOf(await call(paymentInfo, { body: { orderId } }, { quiet: true }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return resultPath(orderId);
    }
  };
  const resume = async (orderId: string) => {
    if (busy) return;
    setBusy(true);
    const href = await pathOf(orderId);
    setBusy(false);
    await navigate({ href });
  };
  return { busy, resume: (orderId: string) => void resume(orderId) };
}
