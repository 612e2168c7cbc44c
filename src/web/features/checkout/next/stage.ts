import type { NextStep, StepType, NextStepOf } from '#contract/next-step.ts';
import {
  awaitsAnswer,
  finalOutcomeOf,
  isStepExpired,
  timedStepOf,
  type PaymentView,
} from '#web/domain/payments/use-payment-state.ts';
import type { Order } from '#contract/order.ts';

export type OpenStep = Exclude<NextStep, { type: 'none' }>;

/** What the page of a step shows. */
export type Stage =
  /** the result page shows the outcome, or that nothing is to be done */
  | { readonly kind: 'result' }
  | { readonly kind: 'step'; readonly step: OpenStep }
  /** the deadline has passed; `of` selects the messages */
  | { readonly kind: 'expired'; readonly of: StepType }
  /** no answer arrived in time, which is not a refusal */
  | { readonly kind: 'noAnswer'; readonly of: StepType };

interface Circumstances {
  /** the step that this page showed last */
  readonly seen: OpenStep | undefined;
  /** the step type of the URL */
  readonly expects: StepType | undefined;
  /** the URL is the one for repaying an order */
  readonly repays: boolean;
  /** this page is repaying the order: there is no step until the provider has answered */
  readonly renewing?: boolean;
  /** epoch milliseconds by the server's clock */
  readonly now: number;
}

/** What to show for a payment, whichever step URL it was opened at. */
export function stageOf(view: PaymentView, { seen, expects, repays, renewing = false, now }: Circumstances): Stage {
  const of = seen?.type ?? (view.order && timedStepOf(view.order)) ?? expects ?? 'push';
  const end = finalOutcomeOf(view.status);
  if (end === 'failed' && repays) return { kind: 'expired', of };
  if (end) return { kind: 'result' };
  if (renewing) return { kind: 'expired', of };
  // A one-time code has its own deadline, and cannot be confirmed later.
  if (of !== 'otp' && awaitsAnswer(view, now)) return { kind: 'noAnswer', of };
  if (isStepExpired(view, now)) return { kind: 'expired', of };
  const { next } = view;
  return next === undefined || next.type === 'none' ? { kind: 'result' } : { kind: 'step', step: next };
}

/**
 * Whether a step is a code that is scanned from this screen, or a confirmation on the payer's phone whose result
 * appears here.
 */
export function isShownHere(step: OpenStep): boolean {
  if (step.type === 'upload') return step.payload !== null && step.proof !== 'received';
  if (step.type === 'crypto') return step.chosen !== null && !isZeroCoinAmount(step.chosen.missing);
  return step.type === 'qr' || step.type === 'push';
}

export type ChosenCoin = NonNullable<NextStepOf<'crypto'>['chosen']>;

/** Amounts of a coin are decimal text, which has more digits than a number can represent exactly. */
export function isZeroCoinAmount(amount: string): boolean {
  return /^0+(\.0+)?$/.test(amount);
}

/**
 * URI schemes of payment requests (EIP-681, BIP-21 and successors). Nothing else is opened, whatever a response
 * contains.
 */
const request = /^(ethereum|bitcoin|lightning|litecoin|dogecoin|dash|monero):[^\s"'<>\\]+$/;

/** The URI that opens a wallet, or undefined if `uri` is not a URI: on TRON it is a bare address. */
export function walletLink(uri: string): string | undefined {
  return request.test(uri) ? uri : undefined;
}

/** The props of every step. */
export interface StepProps<Step extends NextStep> {
  step: Step;
  order: Order;
  /** reads the payment's state again */
  ask: () => void;
  /** the step's deadline has passed */
  onEnd: () => void;
}
