import { msg, plural } from '@lingui/core/macro';
import type { ApiError } from '../api/api-error.ts';
import { accountWords } from '../account-form/account-words.ts';
import { say, type Words } from '../form/words.ts';
import { isWholeCode } from './code-typing.ts';
import { waitWords } from './wait-words.ts';

const codeMissing = say(msg`Verification code cannot be empty`);
const codeShort = say(msg`Enter all 4 digits of the code`);

/** What is wrong with a code that is about to be sent (spec 5). */
export function codeProblem(code: string): Words | false {
  if (code === '') return codeMissing;
  return !isWholeCode(code) && codeShort;
}

/** What the forms with a code say their own way: how many tries are left, and how long to wait. */
export function codeWords(error: ApiError): Words | undefined {
  const { triesLeft } = error.params;
  if (error.code === 11 && triesLeft) return triesWords(triesLeft);
  if (error.code === 4598)
    return say(msg`Codes no longer work for this account. Reset your password by email instead.`);
  return waitWords(error) ?? accountWords(error);
}

const triesWords =
  (tries: number): Words =>
  (i18n) =>
    i18n._(
      msg`This code is not correct. ${plural(tries, { one: 'You have # try left.', other: 'You have # tries left.' })}`,
    );
