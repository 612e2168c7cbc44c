import { msg } from '@lingui/core/macro';
import type { ErrorField } from '../../contract/error-codes.ts';
import type { AccountType } from '../../contract/user.ts';
import type { SiteConfig } from '../../contract/brand.ts';
import { say, type Words } from '../form/words.ts';
import { isEmail, isPhone } from '../validation/account-rules.ts';

type Rules = SiteConfig['validRules'];

/** What the account fields of a form hold. Both ways are kept, so that changing the tab loses nothing. */
export type AccountValues = Readonly<{ account: string; phone: string; areaCode: string }>;
export const emptyAccount: AccountValues = { account: '', phone: '', areaCode: '' };

/** Who it is, as calls have it. */
export interface Identity {
  readonly account: string;
  readonly type: AccountType;
  readonly areaCode?: string;
}

const emailMissing = say(msg`Enter your email address`);
const invalidEmail = say(msg`Invalid Email`);
const invalidPhone = say(msg`Invalid mobile number`);
const areaCodeMissing = say(msg`Select the country code`);

/** Leaves out the fields that are fine. */
export function found<Name extends string>(problems: Record<Name, Words | false>): Partial<Record<Name, Words>> {
  const wrong = Object.entries(problems).filter(([, words]) => words !== false);
  // what is left of the record is what was not false
  return Object.fromEntries(wrong) as Partial<Record<Name, Words>>;
}

/** What is wrong with the account of the tab that shows (spec 5). */
export function accountProblems(tab: AccountType, values: AccountValues, rules: Rules) {
  const { account, phone, areaCode } = values;
  const byPhone = tab === 'phone';
  return found({
    account: !byPhone && (account === '' ? emailMissing : !isEmail(rules, account) && invalidEmail),
    areaCode: byPhone && areaCode === '' && areaCodeMissing,
    phone: byPhone && (phone === '' || !isPhone(rules, phone)) && invalidPhone,
  });
}

/** The account of the tab that shows, for a call. */
export function identityOf(tab: AccountType, { account, phone, areaCode }: AccountValues): Identity {
  return tab === 'phone' ? { account: phone, type: tab, areaCode } : { account, type: tab };
}

/** The same, once it looks right; undefined before. */
export function completeIdentity(tab: AccountType, values: AccountValues, rules: Rules): Identity | undefined {
  return Object.keys(accountProblems(tab, values, rules)).length === 0 ? identityOf(tab, values) : undefined;
}

/** At which field the errors of an account are shown: `fields` of `refusalOf`. */
export function accountFields(tab: AccountType) {
  const name = tab === 'phone' ? 'phone' : 'account';
  const areaCode = tab === 'phone' ? 'areaCode' : 'account';
  return { account: name, email: name, phone: name, areaCode } as const satisfies Partial<Record<ErrorField, string>>;
}

const passwordMissing = say(msg`Enter your password`);

/** What is wrong with a login (spec 5). An old password may be shorter than today's rule, so only its absence is. */
export function checkLogin(tab: AccountType, values: AccountValues & { password: string }, rules: Rules) {
  return { ...accountProblems(tab, values, rules), ...found({ password: values.password === '' && passwordMissing }) };
}
