import { msg, plural } from '@lingui/core/macro';
import type { CallError } from '#web/platform/api/api-error.ts';
import { accountWords } from '../account-rules.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { waitWords } from './wait-words.ts';
import { verificationCodeDigits } from '#contract/limits.ts';
import { plainCharacters } from '#contract/typed-text.ts';

/** Longer than any code, and short enough to show what was pasted. */
const longest = 12;

/**
 * Extracts the digits of a typed or pasted code: from "Your code is 12 34", or the only group of four in a message. A
 * digit typed after the last one is ignored; a longer pasted number stays and is invalid.
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

/** The problem of a code that is about to be sent. */
export function codeProblem(code: string): Words | false {
  if (code === '') return codeMissing;
  return !isCompleteCode(code) && codeShort;
}

/** Messages that differ from the catalogue: how many tries are left and how long to wait. */
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
