import { msg } from '@lingui/core/macro';
import type { SiteConfig } from '../../../contract/brand.ts';
import { minPasswordLength } from '../../../contract/limits.ts';
import { say, type Words } from '../../form/words.ts';
import { isEmail } from '../../validation/account-rules.ts';

type Rules = SiteConfig['validRules'];

const required = say(msg`Enter your email address`);
const invalidEmail = say(msg`Invalid Email`);
const passwordMissing = say(msg`Enter your password`);
const passwordShort = say(msg`Password has to be at least 6 characters long`);
const passwordsDiffer = say(msg`Passwords do not match`);
const nicknameSpecial = say(msg`The nickname must not contain special characters`);
const policyMissing = say(msg`Accept our Terms Of Use and Privacy Policy`);

/** Leaves out the fields that are fine. */
function found<Name extends string>(problems: Record<Name, Words | false>): Partial<Record<Name, Words>> {
  const wrong = Object.entries(problems).filter(([, words]) => words !== false);
  // what is left of the record is what was not false
  return Object.fromEntries(wrong) as Partial<Record<Name, Words>>;
}

function accountProblem(account: string, rules: Rules): Words | false {
  if (account === '') return required;
  return !isEmail(rules, account) && invalidEmail;
}

export const emptyLogin = { account: '', password: '' };
export type LoginValues = typeof emptyLogin;

/** What is wrong with a login (spec 5). An old password may be shorter than today's rule, so only its absence is. */
export function checkLogin(values: LoginValues, rules: Rules) {
  return found({
    account: accountProblem(values.account, rules),
    password: values.password === '' && passwordMissing,
  });
}

export const emptyRegister = { account: '', nickname: '', password: '', repeated: '', agreed: false };
export type RegisterValues = typeof emptyRegister;

const nicknameLetters = /^[\p{L}\p{N} ]{0,40}$/u;

/** What is wrong with a sign-up (spec 5). */
export function checkRegister(values: RegisterValues, rules: Rules) {
  const { account, nickname, password, repeated, agreed } = values;
  return found({
    account: accountProblem(account, rules),
    nickname: !nicknameLetters.test(nickname) && nicknameSpecial,
    password: password.length < minPasswordLength && passwordShort,
    repeated: password !== repeated && passwordsDiffer,
    agreed: !agreed && policyMissing,
  });
}
