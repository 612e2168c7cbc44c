import type { NextStep } from '../../../../contract/next-step.ts';
import { awaitsAnswer, endOf, isLapsed, type PaymentView } from '../../../payment-state/payment-view.ts';
import { timedKindOf, type StepKind } from '../../../payment-state/step-kind.ts';

export type OpenStep = Exclude<NextStep, { type: 'none' }>;

/** What the page of a step has to show. */
export type Stage =
  /** how it ended, or that nothing is to be done, is told by the result page */
  | { readonly kind: 'result' }
  | { readonly kind: 'step'; readonly step: OpenStep }
  /** its time is over; `of` chooses the words */
  | { readonly kind: 'expired'; readonly of: StepKind }
  /** no answer came in time, which is not a no */
  | { readonly kind: 'noAnswer'; readonly of: StepKind };

interface Circumstances {
  /** the step that this page has shown last */
  readonly seen: OpenStep | undefined;
  /** what the address stands for */
  readonly expects: StepKind | undefined;
  /** the address is the one for paying an order again */
  readonly repays: boolean;
  /** epoch milliseconds by the server's clock */
  readonly now: number;
}

/** What there is to do about a payment, whichever of the steps' addresses it was reached at. */
export function stageOf(view: PaymentView, { seen, expects, repays, now }: Circumstances): Stage {
  const of = seen?.type ?? timedKindOf(view.order?.methodCode ?? '') ?? expects ?? 'push';
  const end = endOf(view.status);
  if (end === 'failed' && repays) return { kind: 'expired', of };
  if (end) return { kind: 'result' };
  // A code to be typed has its own time, and nobody says yes to it later.
  if (of !== 'otp' && awaitsAnswer(view, now)) return { kind: 'noAnswer', of };
  if (isLapsed(view, now)) return { kind: 'expired', of };
  const { next } = view;
  return next === undefined || next.type === 'none' ? { kind: 'result' } : { kind: 'step', step: next };
}
