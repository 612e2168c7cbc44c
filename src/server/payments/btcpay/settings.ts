import * as v from 'valibot';
import { isKnownCurrency } from '#contract/currencies.ts';

const secret = v.optional(v.pipe(v.string(), v.minLength(16, 'must have 16 characters or more')));

/** A store at a BTCPay Server, which is reached by its Greenfield API. All but the last two belong together. */
export const btcpaySettings = {
  /** where the server is, with the path that it is installed under */
  BTCPAY_URL: v.optional(
    v.pipe(
      v.string(),
      v.url(),
      v.regex(/^https?:\/\/[^?#]+$/, 'must be the address of the server, such as https://btcpay.example'),
      v.transform((url) => url.replace(/\/+$/, '')),
    ),
  ),
  BTCPAY_STORE_ID: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{10,80}$/))),
  BTCPAY_API_KEY: secret,
  /** of the store's webhook; money that comes after an invoice has ended is told by it alone */
  BTCPAY_WEBHOOK_SECRET: secret,
  /** currencies for which the store has exchange rates */
  BTCPAY_CURRENCIES: v.pipe(
    v.optional(v.string(), 'USD,EUR'),
    v.regex(/^[A-Z]{3}(,[A-Z]{3})*$/, 'must be codes of currencies with commas between them, such as USD,EUR'),
    v.transform((codes) => codes.split(',')),
    v.check(
      (codes) => codes.every(isKnownCurrency),
      ({ input }) =>
        `must be codes of ISO 4217; this is none: ${input.filter((code) => !isKnownCurrency(code)).join(', ')}`,
    ),
  ),
  /** of the network, until a payment on a chain is ours */
  BTCPAY_CONFIRMATIONS: v.pipe(v.optional(v.picklist(['1', '2', '6']), '1'), v.transform(Number)),
};

export const btcpayNames = ['BTCPAY_URL', 'BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'] as const;
