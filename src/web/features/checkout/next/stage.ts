import type { NextStep, StepType } from '#contract/next-step.ts';
import {
  awaitsAnswer,
  endOf,
  isStepExpired,
  timedStepOf,
  type PaymentView,
} from '#web/domain/payments/payment-view.ts';
import { isNoCoin } from './step-props.ts';

export type OpenStep = Exclude<NextStep, { type: 'none' }>;

/** What the page of a step has to show. */
export type Stage =
  /** how it ended, or that nothing is to be done, is told by the result page */
  | { readonly kind: 'result' }
  | { readonly kind: 'step'; readonly step: OpenStep }
  /** its time is over; `of` chooses the words */
  | { readonly kind: 'expired'; readonly of: StepType }
  /** no answer came in time, which is not a no */
  | { readonly kind: 'noAnswer'; readonly of: StepType };

interface Circumstances {
  /** the step that this page has shown last */
  readonly seen: OpenStep | undefined;
  /** what the address stands for */
  readonly expects: StepType | undefined;
  /** the address is the one for paying an order again */
  readonly repays: boolean;
  /** this page is repaying the order: there is no step until the provider has answered */
  readonly renewing?: boolean;
  /** epoch milliseconds by the server's clock */
  readonly now: number;
}

/** What there is to do about a payment, whichever of the steps' addresses it was reached at. */
export function stageOf(view: PaymentView, { seen, expects, repays, renewing = false, now }: Circumstances): Stage {
  const of = seen?.type ?? (view.order && timedStepOf(view.order)) ?? expects ?? 'push';
  const end = endOf(view.status);
  if (end === 'failed' && repays) return { kind: 'expired', of };
  if (end) return { kind: 'result' };
  if (renewing) return { kind: 'expired', of };
  // A code to be typed has its own time, and nobody says yes to it later.
  if (of !== 'otp' && awaitsAnswer(view, now)) return { kind: 'noAnswer', of };
  if (isStepExpired(view, now)) return { kind: 'expired', of };
  const { next } = view;
  return next === undefined || next.type === 'none' ? { kind: 'result' } : { kind: 'step', step: next };
}

/** Whether a step is a code that is scanned from this screen, or a question on the payer's phone whose answer shows here. */
export function isShownHere(step: OpenStep): boolean {
  if (step.type === 'upload') return step.payload !== null && step.proof !== 'received';
  if (step.type === 'crypto') return step.chosen !== null && !isNoCoin(step.chosen.missing);
  return step.type === 'qr' || step.type === 'push';
}
