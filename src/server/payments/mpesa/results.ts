import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { noToken } from './client.ts';
import type { Push } from './pushes.ts';

/**
 * What M-Pesa's results mean for the customer (developer.safaricom.co.ke, M-Pesa Express Simulate, "Result codes"). A code
 * that is not published there, such as 1031, is missing here: whether it has moved money is asked, not guessed.
 */
const failures: Readonly<Record<string, ErrorCode>> = {
  // not enough on the account
  '1': 302,
  // below or above what may be paid at once or in a day, or what the short code may hold
  '2': 2003,
  '3': 2003,
  '4': 2003,
  '8': 2003,
  // the same amount of the same number within two minutes; another question on the phone
  '17': -3031,
  '1001': -3031,
  // M-Pesa is busy and asked nobody
  '26': -3031,
  // the question was too long to be shown
  '1025': 2003,
  // cancelled on the phone
  '1032': 2007,
  // a wrong PIN, or one that is locked
  '2001': 2003,
  '8006': 2003,
  // the question could not be sent
  '9999': 2003,
  // the short code is set up otherwise than it was told to this shop
  '2028': 2003,
  SFC_IC0003: 2003,
  // asked about before it was pushed; nothing was
  closed: 2003,
};

/** Nobody answered in time, or the phone could not be reached: it can be asked again. */
const expiries = new Set(['1019', '1037']);

/** Results that are the shop's own to mend. */
export const ownFaults = new Set(['1025', '2028', 'SFC_IC0003']);

/** How a payment has ended by a result; `unknown` for one that the description does not have. */
export function endOf(resultCode: string): GatewayAnswer {
  if (resultCode === '0') return { state: 'succeeded' };
  if (expiries.has(resultCode)) return { state: 'expired' };
  const failureCode = Object.hasOwn(failures, resultCode) ? failures[resultCode] : undefined;
  return failureCode === undefined ? { state: 'unknown' } : { state: 'failed', failureCode };
}

/**
 * Refusals of a push after which no phone was asked. One code stands for a short code that is not known, a wrong password
 * and a phone that is busy; the message tells them apart, and none of them pushes.
 */
export function refusedPush(errorCode: string, errorMessage: string): ErrorCode | undefined {
  if (errorCode === noToken) return 2003;
  if (errorCode === '500.001.1001') return /lock subscriber|in process/i.test(errorMessage) ? -3031 : 2003;
  if (/^(?:400|404|405)\./.test(errorCode) || errorCode === '405.001') return 2003;
  // stopped at the gate for asking too much; "busy" under the same code says nothing for sure
  if (/spike arrest|quota/i.test(errorMessage)) return -3031;
  return undefined;
}

/** The receipt names a payment at M-Pesa; before there is one, Daraja's id does. */
export function told({ receipt, checkoutRequestId }: Push, answer: GatewayAnswer): GatewayAnswer {
  const providerRef = receipt ?? checkoutRequestId;
  return { ...answer, ...(providerRef !== null && { providerRef }) };
}
