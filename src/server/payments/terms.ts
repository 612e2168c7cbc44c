import type { RefusalParams } from '#contract/envelope.ts';
import type { NextStep } from '#contract/next-step.ts';

/** What a gateway changes about a method as its brand describes it. */
export interface MethodTerms {
  /** the card is typed at the provider's page ([Note: Card page]) */
  readonly cardPage?: true | undefined;
  /** what comes after pay */
  readonly flow?: NextStep['type'] | undefined;
  /** the most installments that it takes, where that is less than the brand offers */
  readonly maxInstallments?: number | undefined;
  /** it takes whole numbers of so many minor units only, and prices are rounded down to them */
  readonly unit?: number | undefined;
  /** the smallest charge that its provider takes, in minor units; a smaller total is not offered */
  readonly minimum?: number | undefined;
  /** the largest one, in minor units; a larger total is not offered */
  readonly maximum?: number | undefined;
}

/** A part of a payment that is to go back ([Note: Partial refunds]). */
export interface PartialRefund {
  /** of the payment */
  readonly key: string;
  /** counts the parts of a payment from 1; key and number name one, and under that name it is given once */
  readonly number: number;
  /** minor units, fewer than are left of the payment */
  readonly amount: number;
  readonly currency: string;
  /** epoch milliseconds; a provider may forget names after a while */
  readonly askedAt: number;
}

/** Whether a payment has been given back. False is "not yet": it is asked for again. `never` ends it, with why for the operator. */
export type RefundAnswer = boolean | { readonly never: string };

/** Why a step changed nothing. */
export interface StepRefusal {
  readonly error: 'operationUnsupported' | 'wrongPaymentCode';
  readonly params?: RefusalParams | undefined;
}
