import { verificationCodeDigits } from '../../contract/limits.ts';

/** What is left of a typed or pasted code: its digits, four at most. "Your code is 12 34" is a code, too. */
export const codeDigits = (text: string): string => text.replaceAll(/\D/g, '').slice(0, verificationCodeDigits);

export const isWholeCode = (code: string): boolean => code.length === verificationCodeDigits;

/** Whether to send now: once for each time a code is completed, however often the field is drawn. */
export function completion(last: string, code: string): { readonly last: string; readonly send: boolean } {
  if (!isWholeCode(code)) return { last: '', send: false };
  return { last: code, send: code !== last };
}
