import type { Wallet } from '#contract/billing.ts';
import type { RefusalParams } from '#contract/envelope.ts';
import type { NextStep } from '#contract/next-step.ts';
import { exponent, type Money } from '#contract/money.ts';

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
  /**
   * the payer's account at the provider, or the card that a wallet pays with, is saved with a payment that renews, and
   * with no other; false if the provider refuses that at present
   */
  readonly savesAccount?: boolean | undefined;
  /** an account can also be saved without a payment, on the provider's page (`openCardPage`) */
  readonly accountPage?: boolean | undefined;
  /** the method needs a wallet of the customer's device */
  readonly wallet?: Wallet | undefined;
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
export type RefundAnswer = boolean | { readonly permanentFailure: string };

/** Why a step changed nothing. */
export interface StepRefusal {
  readonly error: 'operationUnsupported' | 'wrongPaymentCode';
  readonly params?: RefusalParams | undefined;
}

/**
 * The result of `check`. `says` is one line for an operator: the account that was reached, or what is wrong and which
 * variable to fix. It never contains a secret or text of the provider.
 */
export interface ProviderCheck {
  readonly isReachable: boolean;
  readonly says: string;
}

/** The expiry of an account, which has none, so that it is never treated as expired. */
export const accountExpiry = { expiryMonth: 12, expiryYear: 9999 } as const;

/** An amount as decimal text in major units, the format of most providers: 4990 of BRL is `49.90`. */
export function toDecimal({ amount, currency }: Money): string {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('amount must be minor units');
  const digits = exponent(currency);
  const text = String(amount).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return digits === 0 ? whole : `${whole}.${text.slice(text.length - digits)}`;
}

/**
 * Parses decimal text into minor units. Undefined for an invalid amount, or one more precise than the currency.
 * Trailing zeros are ignored: `49.9000` is 4990.
 */
export function fromDecimal(value: string, currency: string): Money | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,20}))?$/.exec(value);
  if (!match) return undefined;
  const digits = exponent(currency);
  const fraction = (match[2] ?? '').padEnd(digits, '0');
  if (/[^0]/.test(fraction.slice(digits))) return undefined;
  return { amount: Number(`${match[1]}${fraction.slice(0, digits)}`), currency };
}
