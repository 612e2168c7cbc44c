import { exponent, type Money } from '../../../contract/money.ts';

/** Without minor units at Stripe (docs.stripe.com/currencies, "Zero-decimal currencies"). UGX is written with two. */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** Three decimals at Stripe, which the shop has no way to write. */
const threeDecimal = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Currencies of methods that are not cards (docs.stripe.com/payments, the page of each method). */
const ofMethod: Readonly<Record<string, readonly string[]>> = {
  pix: ['BRL'],
  boleto: ['BRL'],
  paynow: ['SGD'],
  alipay: ['CNY', 'AUD', 'CAD', 'EUR', 'GBP', 'HKD', 'JPY', 'MYR', 'NZD', 'SGD', 'USD'],
};

/** Methods that Stripe charges here; which of them an account may use is switched on in its Dashboard. */
export function isTakenByStripe(methodCode: string, currency: string): boolean {
  if (threeDecimal.has(currency)) return false;
  if (methodCode === 'card') return true;
  return Object.hasOwn(ofMethod, methodCode) && (ofMethod[methodCode]?.includes(currency) ?? false);
}

/** How many digits Stripe has more than the shop. */
const shift = (currency: string) => (zeroDecimal.has(currency) ? 0 : 2) - exponent(currency);

/** An amount as Stripe counts it; undefined for what it could only take rounded. */
export function toStripe({ amount, currency }: Money): { amount: number; currency: string } | undefined {
  const counted = amount * 10 ** shift(currency);
  if (!Number.isSafeInteger(counted) || counted < 0) return undefined;
  return { amount: counted, currency: currency.toLowerCase() };
}

/** An amount of Stripe's in the shop's minor units. */
export function fromStripe({ amount, currency }: { amount: number; currency: string }): Money {
  const code = currency.toUpperCase();
  return { amount: amount / 10 ** shift(code), currency: code };
}
