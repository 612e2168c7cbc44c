import { type PaymentFailure, errorCode } from '#contract/error-codes.ts';
import type { ChargeOutcome } from '../schema.ts';

/** Lifetime of a prompt on a phone, in milliseconds. */
export const pushLifetimeMs = 2 * 60_000;

const secondMs = 1000;

/** The automatic answer of a phone. `afterMs` counts from the prompt. */
export type PhoneAnswer =
  | { readonly does: 'refuse'; readonly error: PaymentFailure }
  | { readonly does: 'end'; readonly end: ChargeOutcome; readonly afterMs: number }
  | { readonly does: 'nothing' };

const end = (ends: ChargeOutcome, afterMs: number): PhoneAnswer => ({ does: 'end', end: ends, afterMs });

/** By the last four digits of the number, after the result codes of M-Pesa. */
const answers: Readonly<Record<string, PhoneAnswer>> = {
  // insufficient funds
  '0001': end({ status: 'declined', declineCode: errorCode('insufficientFunds') }, 2 * secondMs),
  // the phone is busy with another prompt and gets no new one
  '1001': { does: 'refuse', error: 'tooFrequent' },
  // the network reports a timeout: no late payment follows
  '1019': end({ status: 'expired' }, pushLifetimeMs),
  // cancelled on the phone
  '1032': end({ status: 'declined', declineCode: errorCode('paymentCancelled') }, 2 * secondMs),
  // no answer and no notice: the server has to inquire
  '1037': { does: 'nothing' },
  // no answer in time, but the money arrives later
  '2037': end({ status: 'paid' }, pushLifetimeMs + 60 * secondMs),
  // paid at once, notice late
  '3000': end({ status: 'paid', tellAfterMs: 30 * secondMs }, 3 * secondMs),
};

const pays = end({ status: 'paid' }, 3 * secondMs);

/** The automatic answer of the phone with this number. */
export function phoneAnswer(number: string): PhoneAnswer {
  return answers[number.slice(-4)] ?? pays;
}
