import * as v from 'valibot';
import { textSchema } from './fields.ts';
import { withLatinLetters, withLunateSigma } from './confusables.ts';
import { normalizeToken } from './normalize-text.ts';

/** Labels before a code in an email, in capitals and without spaces and accents. */
const label = /^(?:(?:COUPON|PROMO|VOUCHER|DISCOUNT)?(?:CODE)?|CODIGO|CUPOM|CUPON|КОД|ПРОМОКОД|КУПОН):/;
const around = /^[^\p{L}\p{N}-]+|[^\p{L}\p{N}-]+$/gu;

/**
 * A typed, pasted or dictated coupon code in its issued form: without spaces, accents, label and surrounding
 * punctuation, in capitals, with Latin letters instead of Cyrillic and Greek look-alikes.
 */
export function normalizeCoupon(text: string): string {
  const capitals = normalizeToken(withLunateSigma(text)).toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
  const bare = capitals.replace(around, '').replace(label, '').replace(around, '');
  return withLatinLetters(bare);
}

/** Not in fields.ts: only pages with a coupon need the table of look-alikes. */
export const discountCodeSchema = v.pipe(textSchema, v.transform(normalizeCoupon), v.regex(/^[A-Z0-9-]{2,32}$/));
