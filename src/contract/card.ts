import * as v from 'valibot';
import { text, textSchema } from './fields.ts';
import { isPersonName, normalizeName } from './person-name.ts';
import { isStateName } from './places.ts';
import { normalizePostalCode } from './postal-rules.ts';
import { normalizeToken } from './normalize-text.ts';

/** The ISO/IEC 7812-1 check digit (Luhn) over 12 to 19 digits. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** `MM/YY` as a month and a full year, or undefined if it is invalid. */
export function parseCardExpiry(value: string): { month: number; year: number } | undefined {
  const match = /^(\d{2})\s*\/?\s*(\d{2})$/.exec(value.trim());
  if (!match) return undefined;
  const month = Number(match[1]);
  return month >= 1 && month <= 12 ? { month, year: 2000 + Number(match[2]) } : undefined;
}

/** A card is valid to the end of its month, in UTC-12, the last time zone where the month ends. */
export function isCardExpired(expiry: { month: number; year: number }, now: number): boolean {
  return now >= Date.UTC(expiry.year, expiry.month, 1, 12);
}

/** A value without spaces or invisible characters; `max` is its length after their removal. */
const token = (max: number) => v.pipe(textSchema, v.transform(normalizeToken), v.maxLength(max));

export const cardCodeSchema = v.pipe(textSchema, v.transform(normalizeToken), v.regex(/^\d{3,4}$/));

const nameSchema = (max: number) =>
  v.pipe(textSchema, v.transform(normalizeName), v.maxLength(max), v.check(isPersonName));

/** Empty for a customer with one name. */
const lastNameSchema = v.union([v.pipe(textSchema, v.transform(normalizeName), v.literal('')), nameSchema(60)]);

/** A new card, as typed. It passes through memory only: never stored, logged or cached. */
export const cardSchema = v.strictObject({
  number: v.pipe(
    textSchema,
    v.transform((value) => normalizeToken(value).replace(/\D/g, '')),
    v.regex(/^\d{12,19}$/),
  ),
  expiry: v.pipe(textSchema, v.transform(normalizeToken), v.regex(/^\d{2}\s*\/?\s*\d{2}$/)),
  code: cardCodeSchema,
  holderFirstName: nameSchema(40),
  holderLastName: v.optional(lastNameSchema, ''),
  save: v.optional(v.boolean(), false),
});
export type CardInput = v.InferInput<typeof cardSchema>;

const addressSchema = v.strictObject({
  /** empty if the country has no postal codes */
  zipCode: v.pipe(textSchema, v.transform(normalizePostalCode), v.maxLength(12)),
  /** for Brazil, code or name, checked by the purchase handler; empty if the country has no states */
  state: v.pipe(
    text(40),
    v.trim(),
    v.check((state) => state === '' || isStateName(state)),
  ),
  city: text(60),
  street: text(100),
  streetNumber: text(12),
});

/** The payer; a method's `fields` list which of these it requires. */
export const payerSchema = v.strictObject({
  firstName: v.optional(nameSchema(40)),
  lastName: v.optional(lastNameSchema),
  document: v.optional(token(20)),
  birthDate: v.optional(v.pipe(textSchema, v.regex(/^\d{4}-\d{2}-\d{2}$/))),
  phone: v.optional(token(20)),
  address: v.optional(addressSchema),
});
export type Payer = v.InferInput<typeof payerSchema>;
