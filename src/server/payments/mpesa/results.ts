import type { PaymentFailure } from '#contract/error-codes.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { noToken } from './client.ts';
import type { Push } from './pushes.ts';

/**
 * What M-Pesa's results mean for the customer (developer.safaricom.co.ke, M-Pesa Express Simulate, "Result codes"). A code
 * that is not published there, such as 1031, is missing here: whether it has moved money is asked, not guessed.
 */
const failures: Readonly<Record<string, PaymentFailure>> = {
  // not enough on the account
  '1': 'insufficientFunds',
  // below or above what may be paid at once or in a day, or what the short code may hold
  '2': 'paymentFailed',
  '3': 'paymentFailed',
  '4': 'paymentFailed',
  '8': 'paymentFailed',
  // the same amount of the same number within two minutes; another question on the phone
  '17': 'tooFrequent',
  '1001': 'tooFrequent',
  // M-Pesa is busy and asked nobody
  '26': 'tooFrequent',
  // the question was too long to be shown
  '1025': 'paymentFailed',
  // cancelled on the phone
  '1032': 'paymentCancelled',
  // a wrong PIN, or one that is locked
  '2001': 'paymentFailed',
  '8006': 'paymentFailed',
  // the question could not be sent
  '9999': 'paymentFailed',
  // the short code is set up otherwise than it was told to this shop
  '2028': 'paymentFailed',
  SFC_IC0003: 'paymentFailed',
  // asked about before it was pushed; nothing was
  closed: 'paymentFailed',
};

/** Nobody answered in time, or the phone could not be reached: it can be asked again. */
const expiries = new Set(['1019', '1037']);

/** Results that are the shop's own to mend. */
export const ownFaults = new Set(['1025', '2028', 'SFC_IC0003']);

/** How a payment has ended by a result; `unknown` for one that the description does not have. */
export function endOf(resultCode: string): GatewayAnswer {
  if (resultCode === '0') return { state: 'succeeded' };
  if (expiries.has(resultCode)) return { state: 'expired' };
  const failure = Object.hasOwn(failures, resultCode) ? failures[resultCode] : undefined;
  return failure === undefined ? { state: 'unknown' } : { state: 'failed', failure };
}

/**
 * Refusals of a push after which no phone was asked. One code stands for a short code that is not known, a wrong password
 * and a phone that is busy; the message tells them apart, and none of them pushes.
 */
export function refusedPush(errorCode: string, errorMessage: string): PaymentFailure | undefined {
  if (errorCode === noToken) return 'paymentFailed';
  if (errorCode === '500.001.1001')
    return /lock subscriber|in process/i.test(errorMessage) ? 'tooFrequent' : 'paymentFailed';
  if (/^(?:400|404|405)\./.test(errorCode) || errorCode === '405.001') return 'paymentFailed';
  // stopped at the gate for asking too much; "busy" under the same code says nothing for sure
  if (/spike arrest|quota/i.test(errorMessage)) return 'tooFrequent';
  return undefined;
}

/** The receipt names a payment at M-Pesa; before there is one, Daraja's id does. */
export function told({ receipt, checkoutRequestId }: Push, answer: GatewayAnswer): GatewayAnswer {
  const providerRef = receipt ?? checkoutRequestId;
  return { ...answer, ...(providerRef !== null && { providerRef }) };
}
