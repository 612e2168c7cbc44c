import { type PaymentFailure, errorCode } from '#contract/error-codes.ts';
import type { ChargeOutcome } from '../schema.ts';

/** How long a question on a phone waits, in milliseconds. */
export const pushLifetimeMs = 2 * 60_000;

const secondMs = 1000;

/** What a phone does when nobody plays it on its page. `afterMs` counts from the question. */
export type PhoneAnswer =
  | { readonly does: 'refuse'; readonly error: PaymentFailure }
  | { readonly does: 'end'; readonly end: ChargeOutcome; readonly afterMs: number }
  | { readonly does: 'nothing' };

const end = (ends: ChargeOutcome, afterMs: number): PhoneAnswer => ({ does: 'end', end: ends, afterMs });

/** By the last four digits of the number, after the results of M-Pesa. */
const answers: Readonly<Record<string, PhoneAnswer>> = {
  // not enough on the account
  '0001': end({ status: 'declined', declineCode: errorCode('insufficientFunds') }, 2 * secondMs),
  // the phone is busy with another question, so it is not asked
  '1001': { does: 'refuse', error: 'tooFrequent' },
  // the network gives up and tells so: nothing comes late
  '1019': end({ status: 'expired' }, pushLifetimeMs),
  // cancelled on the phone
  '1032': end({ status: 'declined', declineCode: errorCode('paymentCancelled') }, 2 * secondMs),
  // no answer, and nobody tells anything: the shop has to ask
  '1037': { does: 'nothing' },
  // no answer in time, and the money comes all the same
  '2037': end({ status: 'paid' }, pushLifetimeMs + 60 * secondMs),
  // paid soon, told late
  '3000': end({ status: 'paid', tellAfterMs: 30 * secondMs }, 3 * secondMs),
};

const pays = end({ status: 'paid' }, 3 * secondMs);

/** What the phone with this number does. */
export function phoneAnswer(number: string): PhoneAnswer {
  return answers[number.slice(-4)] ?? pays;
}
