import * as v from 'valibot';
import { textSchema } from './fields.ts';
import { withLatinLetters, withLunateSigma } from './look-alikes.ts';
import { typedToken } from './typed-text.ts';

/** What stands before a code in a mail, in capitals and without spaces and accents. */
const label = /^(?:(?:COUPON|PROMO|VOUCHER|DISCOUNT)?(?:CODE)?|CODIGO|CUPOM|CUPON|КОД|ПРОМОКОД|КУПОН):/;
const around = /^[^\p{L}\p{N}-]+|[^\p{L}\p{N}-]+$/gu;

/**
 * A coupon's code as it was issued, from what was typed, pasted or dictated: without spaces, accents, its label, and the quotes
 * and full stops around it, in capitals, with Latin letters in the place of those of Cyrillic and Greek that look the same.
 */
export function normalizeCoupon(text: string): string {
  const capitals = typedToken(withLunateSigma(text)).toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
  const bare = capitals.replace(around, '').replace(label, '').replace(around, '');
  return withLatinLetters(bare);
}

/** Not in fields.ts: only pages with a coupon need its letters. */
export const discountCodeSchema = v.pipe(textSchema, v.transform(normalizeCoupon), v.regex(/^[A-Z0-9-]{2,32}$/));
