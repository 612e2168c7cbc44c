import * as v from 'valibot';
import { exponent } from './currencies.ts';
import { currencySchema } from './fields.ts';
import { formatAmount } from './numbers.ts';

/** Integer minor units and an ISO 4217 code: `{ amount: 4990, currency: 'BRL' }` is R$ 49.90. */
export const moneySchema = v.object({ amount: v.pipe(v.number(), v.safeInteger()), currency: currencySchema });
export type Money = v.InferOutput<typeof moneySchema>;

/**
 * Splits a total (minor units) into `count` parts that add up to it exactly, the larger ones first: 4990 in 3 is 1664 +
 * 1663 + 1663.
 */
export function splitInstallments(total: number, count: number): number[] {
  if (!Number.isSafeInteger(total) || total < 0) throw new RangeError('total must be minor units');
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError('count must be positive');
  const base = Math.floor(total / count);
  const larger = total - base * count;
  return Array.from({ length: count }, (_, index) => base + (index < larger ? 1 : 0));
}

/**
 * The amount of each of `count` equal installments at `rate` monthly interest (0.0199 is 1.99 %), by the annuity
 * formula, rounded half up to minor units. The total is that amount times `count`.
 */
export function installmentWithInterest(total: number, count: number, rate: number): number {
  if (rate === 0) return Math.ceil(total / count);
  return Math.round((total * rate) / (1 - (1 + rate) ** -count));
}

/** `percent` of an amount (minor units), rounded half up; a discount never exceeds the amount. */
export function percentOf(amount: number, percent: number): number {
  return Math.min(amount, Math.round((amount * percent) / 100));
}

/** The symbol of each ISO 4217 currency, by which customers here know it; ICU's own differ. */
export const currencySymbols = {
  USD: '$',
  BRL: 'R$',
  ARS: '$',
  CLP: '$',
  COP: '$',
  MXN: 'MXN',
  PEN: 'S/.',
  UYU: '$U',
  ZAR: 'R',
  PHP: '₱',
  RUB: '₽',
} as const;

/** A price as people of `language` read it. */
export function formatMoney({ amount, currency }: Money, language: string): string {
  // as: any currency may be passed; its code stands in for a missing symbol
  const symbol = currencySymbols[currency as keyof typeof currencySymbols] ?? currency;
  const digits = exponent(currency);
  return formatAmount(amount / 10 ** digits, language, { symbol, digits });
}
