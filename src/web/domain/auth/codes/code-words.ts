import { msg, plural } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import { accountWords } from '../account-rules.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { waitWords } from './wait-words.ts';
import { verificationCodeDigits } from '#contract/limits.ts';
import { plainCharacters } from '#contract/typed-text.ts';

/** More than any code has, and still short enough to be shown as it was pasted. */
const longest = 12;

/**
 * What is left of a typed or pasted code: its digits. "Your code is 12 34" is a code, and so is the only group of four in
 * a message. A digit typed after the last is one too many; a longer number that is pasted stays, and is no code.
 */
export function codeDigits(text: string, before = ''): string {
  const groups = plainCharacters(text)
    .split(/\D+/)
    .filter((group) => group !== '');
  const [whole, ...others] = groups.filter(isCompleteCode);
  if (whole !== undefined && others.length === 0) return whole;
  const digits = groups.join('');
  return digits.slice(0, digits.length === before.length + 1 ? verificationCodeDigits : longest);
}

export const isCompleteCode = (code: string): boolean => code.length === verificationCodeDigits;

const codeMissing = say(msg`Verification code cannot be empty`);
const codeShort = say(msg`Enter all 4 digits of the code`);

/** What is wrong with a code that is about to be sent. */
export function codeProblem(code: string): Words | false {
  if (code === '') return codeMissing;
  return !isCompleteCode(code) && codeShort;
}

/** What the forms with a code say their own way: how many tries are left, and how long to wait. */
export function codeWords(error: CallError): Words | undefined {
  const { triesLeft } = error.params;
  if (error.is('wrongCode') && triesLeft) return triesWords(triesLeft);
  if (error.is('operationUnsupported') && error.params.field === 'phone')
    return say(msg`We cannot write to phone numbers. Please use your email address.`);
  if (error.is('operationUnsupported'))
    return say(msg`Codes no longer work for this account. Reset your password by email instead.`);
  return waitWords(error) ?? accountWords(error);
}

const triesWords =
  (tries: number): Words =>
  (i18n) =>
    i18n._(
      msg`This code is not correct. ${plural(tries, { one: 'You have # try left.', other: 'You have # tries left.' })}`,
    );
