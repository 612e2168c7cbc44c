import { normalizeTaxId } from '#contract/tax-id.ts';
import { normalizeCharacters } from '#contract/normalize-text.ts';
import {
  cardBrand,
  cardCodeLength,
  groupCardNumber,
  limitDigits,
  isOneCharacterMore,
  plainDigits,
  isReplacement,
} from './card-brand.ts';
import type { PayerForm, PayerKey } from './payer-form.ts';
import { areaCodeDigits } from '#contract/limits.ts';

/** What the form knows besides the typed text. */
export interface TypingContext {
  /** length of the security code of a saved card */
  readonly codeDigits?: number | undefined;
  /** country code before the mobile number's field; digits */
  readonly mobileCode?: string | undefined;
  /** name of the mobile money service, such as M-Pesa */
  readonly mobileName?: string | undefined;
  /** country code of the phone number if known; digits */
  readonly phoneCode?: string | undefined;
}

/**
 * The form after typing or pasting `given` into a field. Card, document and phone fields drop spaces and invalid
 * characters; names and places stay as typed. Pasted text is understood, or stays unchanged and shows an error; it is
 * never truncated into another value.
 */
export function applyTypedText(
  key: PayerKey,
  given: string,
  form: PayerForm,
  context: TypingContext = {},
): Partial<Record<PayerKey, string>> {
  const text = normalizeCharacters(given);
  switch (key) {
    case 'phone':
      return { phone: typedPhone(text, form.phone, context.phoneCode) };
    case 'number':
      return { number: groupCardNumber(text, form.number) };
    case 'expiry':
      return { expiry: typedExpiry(text, form.expiry) };
    case 'code':
      return { code: limitDigits(text, form.code, context.codeDigits ?? codeLength(form)) };
    case 'document':
      return { document: typedDocument(text, form.document) };
    case 'mobile':
      return { mobile: typedMobile(text, form.mobile, context.mobileCode) };
    default:
      return { [key]: given };
  }
}

const codeLength = ({ number }: PayerForm) => cardCodeLength(cardBrand(plainDigits(number)));

const cnpjLength = 14;
/** Long enough to show what was pasted by mistake. */
const longestId = 24;

/** CPF as 529.982.247-25, CNPJ as 12.ABC.345/01DE-35; CNPJ has letters since July 2026. */
function typedDocument(text: string, before: string): string {
  const id = normalizeTaxId(text.replace(/^\s*(CPF|CNPJ)\b/i, ''));
  const old = normalizeTaxId(before);
  const kept = id.length > cnpjLength && isOneCharacterMore(id, old) ? old : id.slice(0, longestId);
  if (kept.length > cnpjLength) return kept;
  if (kept.length <= 11 && /^\d*$/.test(kept)) return punctuate(kept, [3, 6, 9], ['.', '.', '-']);
  return punctuate(kept, [2, 5, 8, 12], ['.', '.', '/', '-']);
}

function punctuate(id: string, at: readonly number[], marks: readonly string[]): string {
  let shown = '';
  for (const [index, character] of id.split('').entries()) {
    const mark = at.indexOf(index);
    shown += (mark === -1 ? '' : (marks[mark] ?? '')) + character;
  }
  return shown;
}

/** Month and year as on cards, in emails and in password managers: `12 / 2030`, `2030-12`, `12-30`, `122030`. */
const monthFirst = /^(\d{1,2})\s*[/.-]\s*(?:20)?(\d{2})$/;
const yearFirst = /^20(\d{2})\s*[/.-]\s*(\d{1,2})$/;
const plain = /^(\d{2})(?:20)?(\d{2})$/;

/**
 * Formats an expiry date as `MM/YY`. A complete four-digit year loses its century; erasing the slash erases the digit
 * before it. Pasted text that is no such date stays unchanged.
 */
function typedExpiry(text: string, before: string): string {
  const trimmed = text.trim();
  const pasted = text.length > before.length + 2;
  const whole = /^\d{2}\/20\d{2}$/.test(trimmed) || pasted ? dateIn(trimmed) : undefined;
  if (whole !== undefined) return whole;
  if (pasted) return trimmed.slice(0, 20);
  if (isCorrected(trimmed, before)) return trimmed;
  const erasing = text.length < before.length;
  const single = /^([1-9])\s*[/.-]/.exec(trimmed);
  const digits = plainDigits(single ? `0${trimmed}` : trimmed);
  const month = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  if (month.length < 2 || (month.length === 2 && erasing)) return erasing ? plainDigits(text) : month;
  const year = month.slice(2);
  if (year.length > yearDigits(year) && isOneCharacterMore(text, before)) return before;
  return `${month.slice(0, 2)}/${year.slice(0, yearDigits(year))}`;
}

/** A month that is being corrected before its year stays unchanged until it has two digits again. */
function isCorrected(text: string, before: string): boolean {
  const isErased = text.length < before.length && /^\d?\/\d{1,4}$/.test(text);
  return isErased || (/^\d?\/\d/.test(before) && /^\d{1,2}\/\d{0,4}$/.test(text));
}

function dateIn(text: string): string | undefined {
  const [, month, year] = monthFirst.exec(text) ?? plain.exec(text) ?? [];
  if (month !== undefined) return `${month.padStart(2, '0')}/${year}`;
  const [, late, early] = yearFirst.exec(text) ?? [];
  return late === undefined || early === undefined ? undefined : `${early.padStart(2, '0')}/${late}`;
}

/** `20` may be the start of a four-digit year. */
const yearDigits = (year: string) => (year.startsWith('20') ? 4 : 2);

/** Maximum length of a number with its calling code (ITU-T E.164). */
export const longestNumber = 15;
/** Maximum length of a Brazilian number with its area code. */
const longestInBrazil = 11;
/** The same after a zero and a carrier code. */
const longestDialled = longestInBrazil + 3;

/** `international`: `+` or `00` announces a country code. */
function numberIn(text: string): { readonly international: boolean; readonly digits: string } {
  const [, prefix, rest = ''] = /^[\s(]*(\+|00)?(.*)$/s.exec(text) ?? [];
  return { international: prefix !== undefined, digits: plainDigits(rest) };
}

/**
 * A mobile number without the code before its field; one of another country stays complete. Digits without `+` stay as
 * typed: a national number may start with a zero or like its country's code, and the server reads both.
 */
export function typedMobile(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  if (!international) return limitDigits(text, before, longestNumber);
  return country && digits.startsWith(country) ? digits.slice(country.length) : `+${digits}`;
}

/** Formats Brazilian numbers as (11) 98765-4321; others stay plain digits. */
function formatNumber(digits: string, country: string | undefined): string {
  if (country !== '55' || digits.startsWith('0') || digits.length <= areaCodeDigits || digits.length > longestInBrazil)
    return digits;
  const local = digits.slice(areaCodeDigits);
  const half = local.length > 8 ? 5 : 4;
  return `(${digits.slice(0, areaCodeDigits)}) ${[local.slice(0, half), local.slice(half)].filter(Boolean).join('-')}`;
}

/**
 * A phone number with its area code, typed or pasted as `+55 (11) 98888-7777` or `011 98888-7777`; one of another
 * country keeps its plus. The server reads Brazilian dialling prefixes, such as `0 15 11 98888-7777`.
 */
export function typedPhone(text: string, before: string, country: string | undefined): string {
  const { international, digits } = numberIn(text);
  const own = international && country !== undefined && digits.startsWith(country);
  // a country code that is still being typed, or that of another country
  if (international && !(own && digits.length > country.length)) return `+${digits}`;
  const national = own ? digits.slice(country.length) : limitDigits(text, before, maxDigits(digits, country));
  // a carrier code may follow a typed zero, also after digits are deleted; elsewhere numbers may start with zero
  const isTrunk = country === '55' && national.length <= longestInBrazil + 1 && isReplacement(text, before);
  return formatNumber(isTrunk ? national.replace(/^0/, '') : national, country);
}

/** Only Brazilian lengths are known here; the server checks those of other countries. */
function maxDigits(digits: string, country: string | undefined): number {
  if (country !== '55') return longestNumber;
  if (digits.startsWith('0')) return longestDialled;
  return longestInBrazil + (digits.startsWith(country) ? country.length : 0);
}
