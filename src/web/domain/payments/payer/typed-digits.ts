import { typedToken } from '#contract/typed-text.ts';

export const plainDigits = (text: string) => typedToken(text).replace(/\D/g, '');

/** More digits than any field accepts: a wrong paste stays visible, up to a limit. */
const longest = 30;

/**
 * The digits of typed or pasted text. One digit too many is ignored, wherever it was typed; several at once are a
 * paste, which stays complete, so that it is refused instead of truncated into another value.
 */
export function fitting(text: string, before: string, max: number): string {
  const digits = plainDigits(text);
  const old = plainDigits(before);
  return digits.length > max && isOneCharacterMore(digits, old) ? old : digits.slice(0, longest);
}

/** The number of inserted and removed characters at the one place where the texts differ. */
function changeOf(text: string, before: string): { inserted: number; removed: number } {
  const shorter = Math.min(text.length, before.length);
  let start = 0;
  while (start < shorter && text[start] === before[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text[text.length - 1 - end] === before[before.length - 1 - end]) end += 1;
  return { inserted: text.length - start - end, removed: before.length - start - end };
}

/** Whether exactly one character was inserted, at any place. */
export function isOneCharacterMore(text: string, before: string): boolean {
  const { inserted, removed } = changeOf(text, before);
  return inserted === 1 && removed === 0;
}

/** Whether several characters were pasted or filled in, into an empty field or replacing others. */
export function isReplacement(text: string, before: string): boolean {
  const { inserted, removed } = changeOf(text, before);
  return inserted > 1 && (removed > 0 || before === '');
}
