import type { RefusalParams } from '#contract/envelope.ts';
import type { NextStep } from '#contract/next-step.ts';

/** How a gateway changes a method that its brand describes. */
export interface MethodTerms {
  /** the card is typed on the provider's page (`CardPageRequest`) */
  readonly cardPage?: true | undefined;
  /** the next step after `pay` */
  readonly flow?: NextStep['type'] | undefined;
  /** the maximum number of installments, if lower than the brand's */
  readonly maxInstallments?: number | undefined;
  /** amounts must be multiples of this many minor units; prices are rounded down to them */
  readonly unit?: number | undefined;
  /** the provider's smallest charge, in minor units; a smaller total is not offered */
  readonly minimum?: number | undefined;
  /** the provider's largest charge, in minor units; a larger total is not offered */
  readonly maximum?: number | undefined;
}

/** A part of a payment that is to be refunded. */
export interface PartialRefund {
  /** the key of the payment */
  readonly key: string;
  /** counts the partial refunds of a payment from 1; under key and number it is refunded once */
  readonly number: number;
  /** minor units, fewer than remain of the payment */
  readonly amount: number;
  readonly currency: string;
  /** epoch milliseconds; a provider may forget IDs after a while */
  readonly askedAt: number;
}

/**
 * Whether a payment has been refunded. False means "not yet": it is requested again. `never` ends it, with the reason
 * for the operator.
 */
export type RefundAnswer = boolean | { readonly never: string };

/** Why a step changed nothing. */
export interface StepRefusal {
  readonly error: 'operationUnsupported' | 'wrongPaymentCode';
  readonly params?: RefusalParams | undefined;
}
