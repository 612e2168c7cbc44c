import type { PaymentAnswer } from '#contract/billing.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import type { Order } from '#contract/order.ts';
import type { Money } from '#contract/money.ts';
import type { PayOutcome } from './pay-request.ts';

/**
 * One tap runs: read the price again -> (a changed price or an existing order waits for a second tap) -> send ->
 * outcome. An unknown outcome is a state of its own: the same request is sent again with the same key, which cannot
 * charge twice, until the answer is known. This file decides; `pay-run.ts` executes.
 */
export type PayState =
  | { readonly phase: 'idle'; readonly notice?: PayNotice | undefined }
  | { readonly phase: 'revaluing' }
  | {
      readonly phase: 'priceChanged';
      readonly was: Money;
      readonly total: Money;
      /** the price of the renewal, not of today's charge */
      readonly ofRenewal?: true;
      /** the renewal price beside a new total: both are on the screen, so it needs no second notice */
      readonly renewal?: Money;
    }
  | { readonly phase: 'unfinished'; readonly order: Order }
  | { readonly phase: 'confirming'; readonly order: Order }
  | { readonly phase: 'justPaid'; readonly order: Order }
  | { readonly phase: 'sending' }
  | { readonly phase: 'checking' }
  | { readonly phase: 'next'; readonly answer: PaymentAnswer };

/** A message that the customer should read before the next tap. */
export type PayNotice =
  | { readonly kind: 'declined'; readonly code: number; readonly orderId: string | undefined }
  | {
      readonly kind: 'refused';
      readonly code: number | undefined;
      /** the refused part of the request, by the server's name */
      readonly field?: string | undefined;
      /** the conflicting order: the one that the coupon is bound to */
      readonly orderId?: string | undefined;
      /** what the coupon is valid for */
      readonly onlyFor?: RefusalParams['onlyFor'];
      /** of `tooFrequent`: when the next attempt is allowed */
      readonly waitSeconds?: number | undefined;
      /** of `wrongCaptcha`: the only accepted method */
      readonly way?: RefusalParams['way'];
    }
  /** the price could not be read; nothing was sent */
  | { readonly kind: 'notSent' }
  /** checked after an unknown outcome: there is no such payment */
  | { readonly kind: 'notPaid' };

/** Orders for this plan that the customer should know of before paying (contract, paymentTip). */
export interface Tip {
  readonly unfinished: Order | null;
  readonly confirming: Order | null;
  readonly justPaid: Order | null;
}

export const noTip: Tip = { unfinished: null, confirming: null, justPaid: null };

/** The parameters of a refusal besides its code. */
type RefusalParts = { readonly [Key in 'field' | 'orderId' | 'onlyFor']?: RefusalParams[Key] | undefined };

export type PayEvent =
  | { readonly type: 'tap' }
  | {
      readonly type: 'valued';
      readonly shown: Money;
      readonly total: Money;
      readonly tip: Tip;
      readonly accepted: readonly string[];
      /** if the plan renews: the renewal price that was on the screen, and the current one */
      readonly later?: { readonly shown: Money; readonly total: Money } | undefined;
    }
  | ({ readonly type: 'valueFailed'; readonly code: number | undefined } & RefusalParts)
  | { readonly type: 'outcome'; readonly outcome: PayOutcome; readonly shown: Money | undefined }
  /** a payment of an earlier visit may be in progress */
  | { readonly type: 'resume' }
  | { readonly type: 'notFound' }
  /** the customer stops waiting */
  | { readonly type: 'stop' }
  /** another page or tab has paid for the plan */
  | { readonly type: 'paidElsewhere'; readonly justPaid: Order | null; readonly accepted: readonly string[] }
  | { readonly type: 'dismiss' }
  | { readonly type: 'edited' };

const waiting = new Set<PayState['phase']>(['idle', 'priceChanged', 'unfinished', 'confirming', 'justPaid']);

/** Whether the pay button can be tapped now. */
export function canTap(state: PayState): boolean {
  return waiting.has(state.phase);
}

/** While this is true, the page is not reloaded, left or updated without confirmation. */
export function isBusy(state: PayState): boolean {
  return state.phase === 'revaluing' || state.phase === 'sending' || state.phase === 'checking';
}

export const idleState: PayState = { phase: 'idle' };

/** The next state; an event that is invalid in this state changes nothing. */
export function payStep(state: PayState, event: PayEvent): PayState {
  switch (event.type) {
    case 'tap':
      return canTap(state) ? { phase: 'revaluing' } : state;
    case 'valued':
      return state.phase === 'revaluing' ? afterValue(event) : state;
    case 'valueFailed':
      if (state.phase !== 'revaluing') return state;
      return { phase: 'idle', notice: afterValueFailed(event) };
    case 'outcome':
      return state.phase === 'sending' || state.phase === 'checking' ? afterOutcome(event.outcome, event.shown) : state;
    case 'resume':
      return canTap(state) ? { phase: 'checking' } : state;
    case 'notFound':
      return state.phase === 'checking' ? { phase: 'idle', notice: { kind: 'notPaid' } } : state;
    case 'stop':
      return afterStop(state);
    case 'paidElsewhere':
      if (state.phase !== 'idle') return state;
      return requiredConfirmation({ ...noTip, justPaid: event.justPaid }, event.accepted) ?? state;
    case 'dismiss':
      return canTap(state) ? idleState : state;
    case 'edited':
      return state.phase === 'idle' && state.notice ? idleState : state;
  }
}

/** Before sending, nothing has happened. Afterwards the outcome is unknown, and only the waiting ends. */
function afterStop(state: PayState): PayState {
  if (state.phase === 'revaluing') return { phase: 'idle', notice: { kind: 'notSent' } };
  return state.phase === 'sending' ? { phase: 'checking' } : state;
}

/** The confirmation that is needed first; undefined if the customer knows of every order. */
export function requiredConfirmation(tip: Tip, accepted: readonly string[]): PayState | undefined {
  for (const phase of ['unfinished', 'confirming', 'justPaid'] as const) {
    const order = tip[phase];
    if (order && !accepted.includes(order.orderId)) return { phase, order };
  }
  return undefined;
}

function afterValue({ shown, total, tip, accepted, later }: Extract<PayEvent, { type: 'valued' }>): PayState {
  const known = requiredConfirmation(tip, accepted);
  if (known) return known;
  if (!isSameMoney(shown, total)) {
    return { phase: 'priceChanged', was: shown, total, ...(later && { renewal: later.total }) };
  }
  if (later && !isSameMoney(later.shown, later.total)) {
    return { phase: 'priceChanged', was: later.shown, total: later.total, ofRenewal: true };
  }
  return { phase: 'sending' };
}

function afterValueFailed({ code, field, orderId, onlyFor }: Extract<PayEvent, { type: 'valueFailed' }>): PayNotice {
  return code === undefined ? { kind: 'notSent' } : { kind: 'refused', code, field, orderId, onlyFor };
}

function afterOutcome(outcome: PayOutcome, shown: Money | undefined): PayState {
  switch (outcome.kind) {
    case 'answered':
      return { phase: 'next', answer: outcome.answer };
    case 'declined':
      return { phase: 'idle', notice: { kind: 'declined', code: outcome.code, orderId: outcome.orderId } };
    case 'priceChanged':
      return shown ? { phase: 'priceChanged', was: shown, total: outcome.total } : idleState;
    case 'refused': {
      const { replaceKey: _, ...refusal } = outcome;
      return { phase: 'idle', notice: refusal };
    }
    case 'signedOut':
      return idleState;
    case 'spent':
    case 'unknown':
      return { phase: 'checking' };
  }
}

/** Whether the idempotency key is retained: only a definite refusal releases it. */
export function retainsKey(outcome: PayOutcome): boolean {
  if (outcome.kind === 'declined' || outcome.kind === 'priceChanged') return false;
  return outcome.kind !== 'refused' || !outcome.replaceKey;
}

export function isSameMoney(a: Money, b: Money): boolean {
  return a.amount === b.amount && a.currency === b.currency;
}
