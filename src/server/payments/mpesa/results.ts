import type { PaymentFailure } from '#contract/error-codes.ts';
import type { GatewayAnswer } from '../gateway.ts';
import { noToken } from './client.ts';
import type { Push } from './pushes.ts';

/**
 * What M-Pesa's results mean for the customer (developer.safaricom.co.ke, M-Pesa Express Simulate, "Result codes").
 * Unpublished codes such as 1031 are not listed: whether they moved money is inquired, not guessed.
 */
const failures: Readonly<Record<string, PaymentFailure>> = {
  // insufficient balance
  '1': 'insufficientFunds',
  // below or above the limits of a payment, a day or the short code's balance
  '2': 'paymentFailed',
  '3': 'paymentFailed',
  '4': 'paymentFailed',
  '8': 'paymentFailed',
  // the same amount from the same number within two minutes; another prompt on the phone
  '17': 'tooFrequent',
  '1001': 'tooFrequent',
  // M-Pesa is busy and showed no prompt
  '26': 'tooFrequent',
  // the prompt was too long to be shown
  '1025': 'paymentFailed',
  // cancelled on the phone
  '1032': 'paymentCancelled',
  // a wrong or locked PIN
  '2001': 'paymentFailed',
  '8006': 'paymentFailed',
  // the prompt could not be sent
  '9999': 'paymentFailed',
  // the short code is configured differently at Safaricom
  '2028': 'paymentFailed',
  SFC_IC0003: 'paymentFailed',
  // inquired about before it was pushed; nothing was sent
  closed: 'paymentFailed',
};

/** The payer did not respond in time, or the phone was unreachable: the payment can be retried. */
const expiries = new Set(['1019', '1037']);

/** Results that are caused by the shop's own configuration. */
export const ownFaults = new Set(['1025', '2028', 'SFC_IC0003']);

/** How a payment has ended by its result; `unknown` for an unpublished code. */
export function endOf(resultCode: string): GatewayAnswer {
  if (resultCode === '0') return { state: 'succeeded' };
  if (expiries.has(resultCode)) return { state: 'expired' };
  const failure = Object.hasOwn(failures, resultCode) ? failures[resultCode] : undefined;
  return failure === undefined ? { state: 'unknown' } : { state: 'failed', failure };
}

/**
 * The failure for a refusal after which no prompt was shown; otherwise undefined. One code is used for an unknown
 * short code, a wrong password and a busy phone; the message distinguishes them, and none of them pushes.
 */
export function refusedPush(errorCode: string, errorMessage: string): PaymentFailure | undefined {
  if (errorCode === noToken) return 'paymentFailed';
  if (errorCode === '500.001.1001')
    return /lock subscriber|in process/i.test(errorMessage) ? 'tooFrequent' : 'paymentFailed';
  if (/^(?:400|404|405)\./.test(errorCode) || errorCode === '405.001') return 'paymentFailed';
  // rate limited before processing; "busy" with the same code proves nothing
  if (/spike arrest|quota/i.test(errorMessage)) return 'tooFrequent';
  return undefined;
}

/** Adds the provider's ID: the receipt or, until there is one, Daraja's ID. */
export function told({ receipt, checkoutRequestId }: Push, answer: GatewayAnswer): GatewayAnswer {
  const providerRef = receipt ?? checkoutRequestId;
  return { ...answer, ...(providerRef !== null && { providerRef }) };
}
