import { useEffect, useRef, useState } from 'react';
import type { Finisher, NextStepOf } from '../../../contract/next-step.ts';
import {
  payssionConfirm,
  paypalCapture,
  stripeConfirm,
  useepayConfirm,
  type FinishedPayment,
} from '../../../contract/payment-steps.ts';
import { ApiError, isOutcomeUnknown } from '../../platform/api/api-error.ts';
import { call } from '../../platform/api/client.ts';

export interface Finishing {
  /** the provider is being told that the customer is back */
  readonly busy: boolean;
  /** the provider wants the customer again */
  readonly wants?: NextStepOf<'redirect'> | undefined;
}

type Finish = (token: string) => Promise<FinishedPayment>;
const quiet = { quiet: true } as const;

const finishes: Readonly<Record<Finisher, Finish>> = {
  useepay: (token) => call(useepayConfirm, { body: { token } }, quiet),
  payssion: (token) => call(payssionConfirm, { body: { token } }, quiet),
  stripe: (token) => call(stripeConfirm, { body: { token } }, quiet),
  paypal: (token) => call(paypalCapture, { params: { id: token } }, quiet),
};

/** How often a lost call is sent again, and after how many milliseconds. */
const resends = [2000, 5000] as const;

/**
 * Tells the provider, once per view, that the customer is back from its page ([Note: Payment steps] in the contract).
 * Telling it twice changes nothing, so a lost call is sent again; if none gets through, the server asks by itself, and
 * this page hears of it. `onTold` is called when the state may be another one.
 */
export function useFinish(finisher: Finisher | undefined, token: string | undefined, onTold: () => void): Finishing {
  const wanted = finisher !== undefined && token !== undefined;
  const [finishing, setFinishing] = useState<Finishing>({ busy: wanted });
  const told = useRef(onTold);
  useEffect(() => {
    told.current = onTold;
  });
  useEffect(() => {
    if (finisher === undefined || token === undefined) return undefined;
    const leaving = new AbortController();
    void finish(finishes[finisher], token, leaving.signal).then((payment) => {
      if (leaving.signal.aborted) return;
      setFinishing({ busy: false, wants: payment?.next.type === 'redirect' ? payment.next : undefined });
      told.current();
    });
    return () => leaving.abort();
  }, [finisher, token]);
  return finishing;
}

/** undefined where the provider could not be told, or has nothing to finish. */
async function finish(act: Finish, token: string, left: AbortSignal): Promise<FinishedPayment | undefined> {
  for (const wait of [...resends, undefined]) {
    try {
      return await act(token);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!isOutcomeUnknown(error) || wait === undefined || left.aborted) return undefined;
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
  return undefined;
}
