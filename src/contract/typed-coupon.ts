import * as v from 'valibot';
import { textSchema } from './fields.ts';
import { typedToken } from './typed-text.ts';

/** Capital letters of other scripts that look like one of A to Z (Unicode Technical Standard 39, confusables). */
const lookAlikes: Readonly<Record<string, string>> = {
  ...pairs('АВЕЅІЈКМНОРСТУХҮԜԚ', 'ABESIJKMHOPCTYXYWQ'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'),
};

function pairs(letters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters).map((letter, index) => [letter, latin[index] ?? '']));
}

/**
 * A coupon's code as it was issued, from what was typed, pasted or dictated: without spaces, accents and the quotes and full
 * stops around it, in capitals, with Latin letters in the place of those of Cyrillic and Greek that look the same.
 */
export function typedCoupon(text: string): string {
  const capitals = typedToken(text).toUpperCase().normalize('NFD').replace(/\p{M}/gu, '');
  const bare = capitals.replace(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}-]+$/gu, '');
  return bare.replace(/[^\p{ASCII}]/gu, (letter) => lookAlikes[letter] ?? letter);
}

/** Not in fields.ts: only pages with a coupon need its letters. */
export const discountCodeSchema = v.pipe(textSchema, v.transform(typedCoupon), v.regex(/^[A-Z0-9-]{2,32}$/));
