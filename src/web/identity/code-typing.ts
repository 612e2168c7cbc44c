import { verificationCodeDigits } from '../../contract/limits.ts';

/** More than any code has, and still short enough to be shown as it was pasted. */
const longest = 12;

/**
 * What is left of a typed or pasted code: its digits. "Your code is 12 34" is a code, and so is the only group of four in
 * a message. A digit typed after the last is one too many; a longer number that is pasted stays, and is no code.
 */
export function codeDigits(text: string, before = ''): string {
  const groups = text.split(/\D+/).filter((group) => group !== '');
  const [whole, ...others] = groups.filter(isWholeCode);
  if (whole !== undefined && others.length === 0) return whole;
  const digits = groups.join('');
  return digits.slice(0, digits.length === before.length + 1 ? verificationCodeDigits : longest);
}

export const isWholeCode = (code: string): boolean => code.length === verificationCodeDigits;

/** Whether to send now: once for each time a code is completed, however often the field is drawn. */
export function completion(last: string, code: string): { readonly last: string; readonly send: boolean } {
  if (!isWholeCode(code)) return { last: '', send: false };
  return { last: code, send: code !== last };
}
