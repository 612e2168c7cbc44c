import { useEffect, useRef, useState } from 'react';
import type { ConfirmingProvider, NextStepOf } from '#contract/next-step.ts';
import {
  payssionConfirm,
  paypalCapture,
  stripeConfirm,
  useepayConfirm,
  type FinishedPayment,
} from '#contract/payment-steps.ts';
import { isOutcomeUnknown } from '#web/platform/api/api-error.ts';
import { attempt, type Attempt } from '#web/platform/api/client.ts';
import {
  awaitsAnswer,
  finalOutcomeOf,
  isStepExpired,
  type PaymentView,
} from '#web/domain/payments/use-payment-state.ts';

export interface Finishing {
  /** the provider is being informed that the customer has returned */
  readonly busy: boolean;
  /** the provider's page is still open, and can be opened again */
  readonly nextStep?: NextStepOf<'redirect'> | undefined;
  /** the provider has reported that nothing was paid at its page */
  readonly unpaid?: boolean | undefined;
}

type Finish = (token: string) => Promise<Attempt<FinishedPayment>>;
const quiet = { quiet: true } as const;

const finishes: Readonly<Record<ConfirmingProvider, Finish>> = {
  useepay: (token) => attempt(useepayConfirm, { body: { token } }, quiet),
  payssion: (token) => attempt(payssionConfirm, { body: { token } }, quiet),
  stripe: (token) => attempt(stripeConfirm, { body: { token } }, quiet),
  paypal: (token) => attempt(paypalCapture, { params: { id: token } }, quiet),
};

/** Delays before a lost call is sent again, in milliseconds. */
const resends = [2000, 5000] as const;
/** Delays before a provider without an outcome is called again, in milliseconds. */
const asksAgain = [3000, 5000, 10_000, 20_000, 30_000, 60_000] as const;

/**
 * Informs the provider that the customer has returned from its page, and repeats that until the outcome is known.
 * Repeating it is harmless; if no call arrives, the server asks the provider by itself. `onTold` is called when the
 * state may have changed.
 */
export function useFinish(
  finisher: ConfirmingProvider | undefined,
  token: string | undefined,
  onTold: () => void,
): Finishing {
  const wanted = finisher !== undefined && token !== undefined;
  const [finishing, setFinishing] = useState<Finishing>({ busy: wanted });
  const told = useRef(onTold);
  useEffect(() => {
    told.current = onTold;
  });
  useEffect(() => {
    if (finisher === undefined || token === undefined) return undefined;
    const leaving = new AbortController();
    const show = (found: Finishing) => {
      if (leaving.signal.aborted) return;
      setFinishing(found);
      told.current();
    };
    void finishUntilKnown(() => finish(finishes[finisher], token, leaving.signal), show, leaving.signal);
    return () => leaving.abort();
  }, [finisher, token]);
  return finishing;
}

/**
 * Repeats until the provider reports an outcome or that nothing was paid, or until the last of `asksAgain` has passed.
 */
export async function finishUntilKnown(
  ask: () => Promise<FinishedPayment | undefined>,
  show: (found: Finishing) => void,
  left: AbortSignal,
): Promise<void> {
  for (const wait of [...asksAgain, undefined]) {
    const payment = await ask();
    const nextStep = payment?.next.type === 'redirect' ? payment.next : undefined;
    show({ busy: false, nextStep, unpaid: nextStep !== undefined && payment?.unpaid === true });
    if (!nextStep || payment?.unpaid || wait === undefined || left.aborted) return;
    await pause(wait, left);
    if (left.aborted) return;
  }
}

/** Undefined if the provider could not be informed, or has nothing to finish. */
async function finish(act: Finish, token: string, left: AbortSignal): Promise<FinishedPayment | undefined> {
  for (const wait of [...resends, undefined]) {
    const { result, error } = await act(token);
    if (result) return result;
    if (!isOutcomeUnknown(error) || wait === undefined || left.aborted) return undefined;
    await pause(wait, left);
  }
  return undefined;
}

/** Waits `ms`, or until the page is left. */
function pause(ms: number, left: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    const timer = setTimeout(resume, ms);
    left.addEventListener('abort', () => {
      clearTimeout(timer);
      resume();
    });
  });
}

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
export function resultKind(view: PaymentView, { busy, nextStep, unpaid }: Finishing, now: number): ResultKind {
  const end = finalOutcomeOf(view.status);
  if (end) return end;
  if (busy || awaitsAnswer(view, now)) return 'checking';
  if (isStepExpired(view, now)) return 'lapsed';
  if (unpaid) return 'left';
  const step = view.next?.type ?? (view.expiresAt === null ? 'none' : view.flow);
  if (nextStep || step === 'redirect') return 'returned';
  return step === 'none' ? 'checking' : 'pending';
}
