import * as v from 'valibot';
import { isKnownCurrency } from '#contract/money.ts';

const secret = v.optional(v.pipe(v.string(), v.minLength(16, 'must have 16 characters or more')));

/** BTCPay Server. A store that is reached through the Greenfield API. */
export const btcpaySettings = {
  /** The address of the server, with the path under which it is installed. */
  BTCPAY_URL: v.optional(
    v.pipe(
      v.string(),
      v.url(),
      v.regex(/^https?:\/\/[^?#]+$/, 'must be the address of the server, such as https://btcpay.example'),
      v.transform((url) => url.replace(/\/+$/, '')),
    ),
  ),
  /** The ID of the store. */
  BTCPAY_STORE_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{10,80}$/))),
  /** The API key of the store. */
  BTCPAY_API_KEY: secret,
  /** The secret of the store's webhook. Only the webhook reports money that arrives after an invoice expired. */
  BTCPAY_WEBHOOK_SECRET: secret,
  /** The currencies for which the store has exchange rates. */
  BTCPAY_CURRENCIES: v.pipe(
    v.optional(v.string(), 'USD,EUR'),
    v.regex(/^[A-Z]{3}(,[A-Z]{3})*$/, 'must be codes of currencies with commas between them, such as USD,EUR'),
    v.transform((codes) => codes.split(',')),
    v.check(
      (codes) => codes.every(isKnownCurrency),
      ({ input }) => `must be ISO 4217 codes; invalid: ${input.filter((code) => !isKnownCurrency(code)).join(', ')}`,
    ),
  ),
  /** Network confirmations until an on-chain payment counts as paid. */
  BTCPAY_CONFIRMATIONS: v.pipe(v.optional(v.picklist(['1', '2', '6']), '1'), v.transform(Number)),
};

export const btcpayNames = ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'] as const;
