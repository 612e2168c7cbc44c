import { msg } from '@lingui/core/macro';
import type { AccountType } from '#contract/user.ts';
import type { SiteConfig } from '#contract/brand.ts';
import { emptyAccount } from '#web/domain/auth/account-rules.ts';
import { newAccountProblems } from '#web/domain/auth/new-account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { newPasswordProblems } from '#web/domain/account/new-password-fields.tsx';
import { onlyProblems, say } from '#web/platform/form/words.ts';
import { codeProblem } from '#web/domain/auth/codes/code-words.ts';
import type { RegisterStep } from './register-step.ts';

const nicknameSpecial = say(msg`The nickname must not contain special characters`);
const policyMissing = say(msg`Accept our Terms Of Use and Privacy Policy`);

/** The data of a sign-up besides the account, by every method. */
export type Person = Readonly<{ nickname: string; agreed: boolean }>;
export type RegisterValues = AccountValues & Person & Readonly<{ code: string; password: string; repeated: string }>;

export const emptyRegister: RegisterValues = {
  ...emptyAccount,
  code: '',
  nickname: '',
  password: '',
  repeated: '',
  agreed: false,
};

const nicknameLetters = /^[\p{L}\p{N} ]{0,40}$/u;

/** The problems of nickname and agreement. */
export function personProblems({ nickname, agreed }: Person) {
  return onlyProblems({
    nickname: !nicknameLetters.test(nickname) && nicknameSpecial,
    agreed: !agreed && policyMissing,
  });
}

interface RegisterRules {
  readonly tab: AccountType;
  readonly rules: SiteConfig['validRules'];
  /** the current question */
  readonly step: RegisterStep;
}

/** The problems of the answers up to a step. */
export function checkRegister(values: RegisterValues, { tab, rules, step }: RegisterRules) {
  const asksPassword = step === 'password' || step === 'whole';
  return {
    ...newAccountProblems(tab, values, rules),
    ...(step === 'code' ? onlyProblems({ code: codeProblem(values.code) }) : {}),
    ...(asksPassword ? { ...newPasswordProblems(values), ...personProblems(values) } : {}),
  };
}

/** Google's name, reduced to characters that a nickname may have. */
export const nicknameFrom = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N} ]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
    .slice(0, 40);

/** The optional parts of a sign-up, omitted if empty. */
export function told({ nickname }: Person, entry: Entry | undefined) {
  return { ...(nickname.trim() ? { nickname: nickname.trim() } : {}), ...(entry ? { entry } : {}) };
}

/** Parameters of a link from the app or a TV device, which are sent with the sign-up. */
export type Entry = Readonly<Record<string, string>>;
