import { typedToken } from '#contract/typed-text.ts';

export const plainDigits = (text: string) => typedToken(text).replace(/\D/g, '');

/** More digits than any field takes: what was pasted by mistake is shown, and not without end. */
const longest = 30;

/**
 * The digits of what was typed or pasted. A digit too many does nothing, wherever it was typed; more of them
 * at once are somebody's paste, which stays whole, so that it is refused and not cut into another value.
 */
export function fitting(text: string, before: string, max: number): string {
  const digits = plainDigits(text);
  const old = plainDigits(before);
  return digits.length > max && isOneCharacterMore(digits, old) ? old : digits.slice(0, longest);
}

/** How many characters were put in, and how many taken out, at the one place where the two texts differ. */
function changeOf(text: string, before: string): { inserted: number; removed: number } {
  const shorter = Math.min(text.length, before.length);
  let start = 0;
  while (start < shorter && text[start] === before[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text[text.length - 1 - end] === before[before.length - 1 - end]) end += 1;
  return { inserted: text.length - start - end, removed: before.length - start - end };
}

/** Whether this is what was there with one more character in it, wherever it was typed. */
export function isOneCharacterMore(text: string, before: string): boolean {
  const { inserted, removed } = changeOf(text, before);
  return inserted === 1 && removed === 0;
}

/** Whether several characters were pasted or filled in, into an empty field or in place of others. */
export function isReplacement(text: string, before: string): boolean {
  const { inserted, removed } = changeOf(text, before);
  return inserted > 1 && (removed > 0 || before === '');
}
