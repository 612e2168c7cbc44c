import { typedToken } from '../../../contract/typed-text.ts';

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
  return digits.length > max && isOneMore(digits, old) ? old : digits.slice(0, longest);
}

/** Whether this is what was there with one more character in it, wherever it was typed. */
export function isOneMore(text: string, before: string): boolean {
  let at = 0;
  while (at < before.length && text[at] === before[at]) at += 1;
  return text.length === before.length + 1 && text.slice(at + 1) === before.slice(at);
}
