import * as v from 'valibot';

const shortCode = v.optional(v.pipe(v.string(), v.regex(/^\d{5,7}$/, 'must be a short code of 5 to 7 digits')));
const secret = v.optional(v.pipe(v.string(), v.minLength(8)));

/** M-Pesa. An app at Safaricom's Daraja and the short code that receives the money. */
export const mpesaSettings = {
  /** The consumer key of the app. */
  MPESA_CONSUMER_KEY: secret,
  /** The consumer secret of the app. */
  MPESA_CONSUMER_SECRET: secret,
  /** The PayBill number. For a till it is the store number. */
  MPESA_SHORT_CODE: shortCode,
  /** The passkey of M-Pesa Express. */
  MPESA_PASSKEY: secret,
  /** The number of the till. Without it the short code is a PayBill number. */
  MPESA_TILL: shortCode,
  /** `sandbox` is Safaricom's test environment. `live` moves real money. */
  MPESA_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** The origin of a server that replaces Safaricom in tests. */
  MPESA_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
  /** The name of the API user that may reverse payments. Without it refunds are made by hand in the portal. */
  MPESA_INITIATOR: v.optional(v.pipe(v.string(), v.minLength(1))),
  /** The password of that API user, encrypted with Safaricom's certificate. */
  MPESA_SECURITY_CREDENTIAL: v.optional(v.pipe(v.string(), v.regex(/^[\w+/=]{40,}$/, 'must be base64'))),
};

export const mpesaNames = ['MPESA_CONSUMER_KEY', 'MPESA_CONSUMER_SECRET', 'MPESA_SHORT_CODE', 'MPESA_PASSKEY'] as const;
export const mpesaReversalNames = ['MPESA_INITIATOR', 'MPESA_SECURITY_CREDENTIAL'] as const;
