import { exponent } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';
import type { MethodTerms } from '../terms.ts';
import { limitsAtStripe, mostAtStripe } from './limits.ts';

/**
 * Currencies of card payments (docs.stripe.com/currencies, "Supported presentment currencies") that are in ISO 4217.
 */
const presented = new Set(
  (
    'USD AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY ' +
    'COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK ' +
    'JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR ' +
    'MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS ' +
    'SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW'
  ).split(' '),
);

/** Without minor units at Stripe ("Zero-decimal currencies"). ISK and UGX are written with two zero digits. */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** Three digits at Stripe, of which the last must be zero ("Three-decimal currencies"). */
const threeDecimal = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Currencies of methods other than cards (docs.stripe.com/payments, the page of each method). */
const ofMethod: Readonly<Record<string, readonly string[]>> = {
  pix: ['BRL'],
  boleto: ['BRL'],
  paynow: ['SGD'],
  alipay: ['CNY', 'AUD', 'CAD', 'EUR', 'GBP', 'HKD', 'JPY', 'MYR', 'NZD', 'SGD', 'USD'],
};

/** The methods that Stripe can charge; each account enables its own in the Dashboard. */
export function isAcceptedByStripe(methodCode: string, currency: string): boolean {
  if (methodCode === 'card') return presented.has(currency);
  return Object.hasOwn(ofMethod, methodCode) && (ofMethod[methodCode]?.includes(currency) ?? false);
}

/** What Stripe can charge in a currency: the unit, the minimum and the maximum, in minor units. */
export function amountTerms(methodCode: string, currency: string): Pick<MethodTerms, 'unit' | 'minimum' | 'maximum'> {
  const counted = Math.floor(scaled(mostAtStripe, -shift(currency)));
  return { unit: unitOf(currency), ...limitsAtStripe(methodCode, { currency, counted }) };
}

/** Minor units in the smallest amount at Stripe: 100 for MGA, 10 for KWD. */
function unitOf(currency: string): number {
  if (threeDecimal.has(currency)) return 10;
  return 10 ** Math.max(0, -shift(currency));
}

/** How many more digits Stripe uses than the shop. */
function shift(currency: string): number {
  const theirs = zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2;
  return theirs - exponent(currency);
}

/** Divides for a negative power: multiplying by a fraction such as 0.01 would turn 700 into 7.000000000000001. */
const scaled = (amount: number, digits: number) => (digits < 0 ? amount / 10 ** -digits : amount * 10 ** digits);

/**
 * An amount as Stripe counts it. Undefined for an unsupported currency, and for an amount that would have to be
 * rounded.
 */
export function toStripe({ amount, currency }: Money): { amount: number; currency: string } | undefined {
  if (!presented.has(currency) || amount % unitOf(currency) !== 0) return undefined;
  const counted = scaled(amount, shift(currency));
  if (!Number.isSafeInteger(counted) || counted < 0) return undefined;
  return { amount: counted, currency: currency.toLowerCase() };
}

/** An amount of Stripe in the shop's minor units. */
export function fromStripe({ amount, currency }: { amount: number; currency: string }): Money {
  const code = currency.toUpperCase();
  return { amount: scaled(amount, -shift(code)), currency: code };
}
