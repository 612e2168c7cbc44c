import { msg } from '@lingui/core/macro';
import { maxPasswordLength, minPasswordLength } from '../../contract/limits.ts';
import { say } from '../form/words.ts';
import { found } from '../account-form/account-rules.ts';

const passwordShort = say(msg`Password has to be at least 6 characters long`);
const passwordLong = say(msg`Password can have 200 characters at most`);
const passwordsDiffer = say(msg`Passwords do not match`);

/** What is wrong with a new password and its repetition (spec 5). Spaces count; nothing is trimmed. */
export function newPasswordProblems({ password, repeated }: { password: string; repeated: string }) {
  return found({
    password:
      (password.length < minPasswordLength && passwordShort) || (password.length > maxPasswordLength && passwordLong),
    repeated: password !== repeated && passwordsDiffer,
  });
}
