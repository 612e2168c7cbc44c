import { exponent, type Money } from '#contract/money.ts';
import { type MethodTerms, fromDecimal } from '../terms.ts';

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

/** Cards, and the wallets that pay with one. */
const paidByCard = new Set(['card', 'applepay', 'googlepay']);

/** The codes of all methods that Stripe can charge. */
export const stripeMethods: readonly string[] = [...paidByCard, ...Object.keys(ofMethod)];

/** The methods that Stripe can charge; each account enables its own in the Dashboard. */
export function isAcceptedByStripe(methodCode: string, currency: string): boolean {
  if (paidByCard.has(methodCode)) return presented.has(currency);
  return Object.hasOwn(ofMethod, methodCode) && (ofMethod[methodCode]?.includes(currency) ?? false);
}

/** What Stripe can charge in a currency: the unit, the minimum and the maximum, in minor units. */
export function amountTerms(methodCode: string, currency: string): Pick<MethodTerms, 'unit' | 'minimum' | 'maximum'> {
  const counted = Math.floor(scaled(maxStripeAmount, -shift(currency)));
  return { unit: unitOf(currency), ...stripeLimits(methodCode, { currency, counted }) };
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

/** Smallest charges in major units (docs.stripe.com/currencies, "Minimum and maximum charge amounts"). */
const published = (
  'USD 0.50, AED 2.00, AUD 0.50, BRL 0.50, CAD 0.50, CHF 0.50, CZK 15.00, DKK 2.50, EUR 0.50, GBP 0.30, HKD 4.00, ' +
  'HUF 175.00, INR 0.50, JPY 50, MXN 10.00, MYR 2.00, NOK 3.00, NZD 0.50, PLN 2.00, RON 2.00, SEK 3.00, SGD 0.50, THB 10.00'
).split(', ');

/**
 * In other currencies a charge must convert to at least USD 0.50 (docs.stripe.com/api/payment_intents/create,
 * `amount`). These are approximate conversions, higher where a currency loses value quickly. Stripe may still refuse a
 * total just above one.
 */
const converted = (
  'AFN 36, ALL 47, AMD 200, AOA 430, ARS 700, AWG 0.90, AZN 0.85, BAM 0.92, BBD 1, BDT 59, BHD 0.19, BIF 1500, ' +
  'BMD 0.50, BND 0.68, BOB 3.50, BSD 0.50, BWP 6.90, BYN 1.70, BZD 1, CDF 1500, CLP 470, CNY 3.70, COP 2100, ' +
  'CRC 270, CVE 52, DJF 89, DOP 30, DZD 68, EGP 24, ETB 70, FJD 1.20, FKP 0.40, GEL 1.50, GIP 0.40, GMD 30, ' +
  'GNF 4300, GTQ 3.90, GYD 110, HNL 13, HTG 68, IDR 8200, ILS 1.90, ISK 70, JMD 78, JOD 0.36, KES 65, KGS 44, ' +
  'KHR 2100, KMF 240, KRW 700, KWD 0.16, KYD 0.42, KZT 230, LAK 11000, LBP 45000, LKR 160, LRD 97, LSL 9.20, ' +
  'MAD 5, MDL 8.90, MGA 2300, MKD 29, MMK 1100, MNT 1700, MOP 4.10, MUR 24, MVR 7.80, MWK 870, MZN 32, NAD 9.20, ' +
  'NGN 750, NIO 19, NPR 67, OMR 0.20, PAB 0.50, PEN 1.90, PGK 2, PHP 30, PKR 140, PYG 3800, QAR 1.90, RSD 55, ' +
  'RUB 45, RWF 660, SAR 1.90, SBD 4.30, SCR 7.50, SHP 0.40, SLE 12, SOS 290, SRD 16, SZL 9.20, TJS 5.40, ' +
  'TND 1.60, TOP 1.20, TRY 21, TTD 3.50, TWD 17, TZS 1400, UAH 21, UGX 1900, UYU 20, UZS 6400, VND 13000, ' +
  'VUV 60, WST 1.40, XAF 310, XCD 1.40, XCG 0.90, XOF 310, XPF 56, YER 130, ZAR 9.20, ZMW 13'
).split(', ');

const minimums: ReadonlyMap<string, string> = new Map(
  [...published, ...converted].map((line) => [line.slice(0, 3), line.slice(4)]),
);

/** Methods with a limit of their own (docs.stripe.com/payments/boleto, "Amount limits"). */
const minimumsOfMethod: Readonly<Record<string, string>> = { boleto: '5.00' };

/** "The amount value supports up to eight digits" (docs.stripe.com/api/payment_intents/create, `amount`). */
const maxStripeAmount = 99_999_999;
/** Currencies with more digits, for which only Stripe itself checks (docs.stripe.com/currencies, same section). */
const longer = new Set(['COP', 'HUF', 'IDR', 'INR', 'JPY', 'LBP']);

/** The smallest and the largest charge, in minor units; `counted` is the largest amount of eight digits at Stripe. */
function stripeLimits(
  methodCode: string,
  { currency, counted }: { readonly currency: string; readonly counted: number },
): Pick<MethodTerms, 'minimum' | 'maximum'> {
  const least = minimumsOfMethod[methodCode] ?? minimums.get(currency);
  return {
    minimum: least === undefined ? undefined : fromDecimal(least, currency)?.amount,
    maximum: longer.has(currency) ? undefined : counted,
  };
}
