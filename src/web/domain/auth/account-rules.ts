import { msg, plural } from '@lingui/core/macro';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import type { AccountType } from '#contract/user.ts';
import type { SiteConfig } from '#contract/brand.ts';
import { normalizeEmail } from '#contract/email-address.ts';
import { normalizeToken } from '#contract/normalize-text.ts';
import { onlyProblems, localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { isEmail, isKnownEmail, isPhone } from '#web/platform/form/account-rules.ts';
import * as v from 'valibot';
import { draft } from '#web/platform/session/storage/draft.ts';
import type { CallError } from '#web/platform/api/api-error.ts';

const keptText = v.optional(v.pipe(v.string(), v.maxLength(160)), '');

/**
 * The account as typed so far. Login and recovery share it, so that it need not be typed again. Pass it to `draft` of
 * `useForm`, with `accountNames`.
 */
export const accountDraft = draft('login', v.object({ account: keptText, phone: keptText, areaCode: keptText }));
export const accountNames = ['account', 'phone', 'areaCode'] as const;

type Rules = SiteConfig['validRules'];

export const emptyAccount: AccountValues = { account: '', phone: '', areaCode: '' };

/** An account as calls send it. */
export interface Identity {
  readonly account: string;
  readonly type: AccountType;
  readonly areaCode?: string;
}

const emailMissing = localizedMessage(msg`Enter your email address`);
const invalidEmail = localizedMessage(msg`Invalid Email`);
const phoneMissing = localizedMessage(msg`Enter your phone number`);
export const invalidPhone = localizedMessage(msg`Invalid mobile number`);
const areaCodeMissing = localizedMessage(msg`Select a country code`);

/** The problems of the account in the selected tab. */
export function accountProblems(tab: AccountType, values: AccountValues, rules: Rules, isRight = isEmail) {
  const { account, phone, areaCode } = values;
  const byPhone = tab === 'phone';
  return onlyProblems({
    account: !byPhone && (account === '' ? emailMissing : !isRight(rules, account) && invalidEmail),
    areaCode: byPhone && areaCode === '' && areaCodeMissing,
    phone: byPhone && (phone === '' ? phoneMissing : !isPhone(rules, phone) && invalidPhone),
  });
}

/** The account of the selected tab, for a call. */
export function identityOf(tab: AccountType, { account, phone, areaCode }: AccountValues): Identity {
  return tab === 'phone' ? { account: phone, type: tab, areaCode } : { account: normalizeEmail(account), type: tab };
}

/** The account that a call was sent for. */
export const identityIn = ({ account, type = 'email', areaCode }: SentIdentity): Identity => ({
  account,
  type,
  ...(areaCode !== undefined && { areaCode }),
});

interface SentIdentity {
  readonly account: string;
  readonly type?: AccountType | undefined;
  readonly areaCode?: string | undefined;
}

/** The typed account (`identityOf`) if it is valid, else undefined. */
export function completeIdentity(tab: AccountType, values: AccountValues, rules: Rules): Identity | undefined {
  return Object.keys(accountProblems(tab, values, rules)).length === 0 ? identityOf(tab, values) : undefined;
}

/** Whether a phone number was pasted or filled in at once. Typed digits may still become an email address. */
export const isPastedNumber = (text: string, before: string): boolean =>
  text.slice(0, -1) !== before &&
  before.slice(0, -1) !== text &&
  /^\+?(?=(\D*\d){6})[\d().-]{7,}$/.test(normalizeToken(text));

const passwordMissing = localizedMessage(msg`Enter your password`);

/** The problems of a login. An old password or address may not satisfy today's rules. */
export function checkLogin(tab: AccountType, values: AccountValues & { password: string }, rules: Rules) {
  return {
    ...accountProblems(tab, values, rules, isKnownEmail),
    ...onlyProblems({ password: values.password === '' && passwordMissing }),
  };
}

/** Error messages of the account forms that differ from the catalogue. */
export function accountErrorMessage(error: CallError): LocalizedMessage | undefined {
  if (error.kind === 'network') return (i18n) => i18n._(msg`We couldn’t reach the shop. Nothing was lost; try again.`);
  const { waitSeconds } = error.params;
  if (!waitSeconds || !error.is('tooManyFailures', 'loginBlocked')) return undefined;
  const minutes = Math.ceil(waitSeconds / 60);
  return (i18n) =>
    i18n._(msg`Too many failed attempts. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}.`);
}
