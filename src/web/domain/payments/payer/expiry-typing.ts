import { isOneCharacterMore, plainDigits } from './typed-digits.ts';

/** Month and year as on cards, in emails and in password managers: `12 / 2030`, `2030-12`, `12-30`, `122030`. */
const monthFirst = /^(\d{1,2})\s*[/.-]\s*(?:20)?(\d{2})$/;
const yearFirst = /^20(\d{2})\s*[/.-]\s*(\d{1,2})$/;
const plain = /^(\d{2})(?:20)?(\d{2})$/;

/**
 * Formats an expiry date as `MM/YY`. A complete four-digit year loses its century; erasing the slash erases the digit
 * before it. Pasted text that is no such date stays unchanged.
 */
export function typedExpiry(text: string, before: string): string {
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
