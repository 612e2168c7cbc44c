import { exponent } from '#contract/currencies.ts';
import type { Money } from '#contract/money.ts';

/** An amount as decimal text in major units, the format of most providers: 4990 of BRL is `49.90`. */
export function toDecimal({ amount, currency }: Money): string {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('amount must be minor units');
  const digits = exponent(currency);
  const text = String(amount).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return digits === 0 ? whole : `${whole}.${text.slice(text.length - digits)}`;
}

/**
 * Parses decimal text into minor units. Undefined for an invalid amount, or one more precise than the currency.
 * Trailing zeros are ignored: `49.9000` is 4990.
 */
export function fromDecimal(value: string, currency: string): Money | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,20}))?$/.exec(value);
  if (!match) return undefined;
  const digits = exponent(currency);
  const fraction = (match[2] ?? '').padEnd(digits, '0');
  if (/[^0]/.test(fraction.slice(digits))) return undefined;
  return { amount: Number(`${match[1]}${fraction.slice(0, digits)}`), currency };
}
