import { exponent, type Money } from '#contract/money.ts';

/**
 * Currencies of the REST API (developer.paypal.com, "Currency codes"); BRL, CNY and MYR for accounts in those
 * countries.
 */
const supported = new Set(
  `AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD`.split(' '),
);

/*
 * PayPal publishes no smallest charge (docs.mollie.com/docs/paypal and PPRO's "PayPal" say "No limit"). The largest
 * depends on the payer's account and country; such a payment is refused on PayPal's page, which tells the payer why.
 */

/** "This currency does not support decimals" (same page), whatever ISO 4217 says. */
const withoutDecimals = new Set(['HUF', 'JPY', 'TWD']);

/** The number of minor units of which amounts must be multiples: whole forints, although they have fillers here. */
export const paypalUnit = (currency: string): number => (withoutDecimals.has(currency) ? 10 ** exponent(currency) : 1);

export function isAcceptedByPaypal(currency: string): boolean {
  return supported.has(currency);
}

/** An amount in PayPal's format. `value` is decimal text in major units. */
interface PaypalMoney {
  readonly currency_code: string;
  readonly value: string;
}

/**
 * An amount as PayPal accepts it. Undefined for an unsupported currency, and for a fraction in a currency without
 * decimals: rounding would charge another amount than the customer agreed to.
 */
export function toPaypal({ amount, currency }: Money): PaypalMoney | undefined {
  if (!isAcceptedByPaypal(currency) || !Number.isSafeInteger(amount) || amount <= 0) return undefined;
  const digits = exponent(currency);
  const text = String(amount).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = text.slice(text.length - digits);
  if (!withoutDecimals.has(currency))
    return { currency_code: currency, value: digits ? `${whole}.${fraction}` : whole };
  return /^0*$/.test(fraction) ? { currency_code: currency, value: whole } : undefined;
}

/** An amount of PayPal in minor units; undefined if it is invalid. */
export function fromPaypal({ currency_code: currency, value }: PaypalMoney): Money | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(value);
  if (!match) return undefined;
  const digits = exponent(currency);
  const fraction = (match[2] ?? '').padEnd(2, '0');
  if (digits === 0 && fraction !== '00') return undefined;
  return { amount: Number(`${match[1]}${fraction.slice(0, digits)}`), currency };
}
