import * as v from 'valibot';

const shortCode = v.optional(v.pipe(v.string(), v.regex(/^\d{5,7}$/, 'must be a short code of 5 to 7 digits')));
const secret = v.optional(v.pipe(v.string(), v.minLength(8)));

/** An app at Safaricom's Daraja and the short code that receives. */
export const mpesaSettings = {
  MPESA_CONSUMER_KEY: secret,
  MPESA_CONSUMER_SECRET: secret,
  /** the PayBill number, or of a till its store number */
  MPESA_SHORT_CODE: shortCode,
  MPESA_PASSKEY: secret,
  /** of a till: its number; without it the short code is a PayBill number */
  MPESA_TILL: shortCode,
  MPESA_ENVIRONMENT: v.optional(v.picklist(['sandbox', 'live']), 'sandbox'),
  /** an address in place of Safaricom's, for a stand-in */
  MPESA_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^/]+$/, 'must be a scheme and a host'))),
  /** the API user who may reverse payments, and their password as Safaricom's certificate has encrypted it */
  MPESA_INITIATOR: v.optional(v.pipe(v.string(), v.minLength(1))),
  MPESA_SECURITY_CREDENTIAL: v.optional(v.pipe(v.string(), v.regex(/^[\w+/=]{40,}$/, 'must be base64'))),
};

export const mpesaNames = ['MPESA_CONSUMER_KEY', 'MPESA_CONSUMER_SECRET', 'MPESA_SHORT_CODE', 'MPESA_PASSKEY'] as const;
export const mpesaReversalNames = ['MPESA_INITIATOR', 'MPESA_SECURITY_CREDENTIAL'] as const;
