import { msg } from '@lingui/core/macro';
import type { AccountType } from '#contract/user.ts';
import type { SiteConfig } from '#contract/brand.ts';
import { emptyAccount, type Identity } from '#web/domain/auth/account-rules.ts';
import { newAccountProblems } from '#web/domain/auth/new-account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { newPasswordProblems } from '#web/domain/account/new-password-fields.tsx';
import { onlyProblems, localizedMessage } from '#web/platform/form/localized-message.ts';
import { codeProblem } from '#web/domain/auth/codes/use-code.ts';
import { useMemo, useState } from 'react';
import * as v from 'valibot';
import { signupProofSchema } from '#contract/signup.ts';
import { isCodeForAccount } from '#web/domain/auth/codes/code-wait.ts';
import type { Question } from '#web/domain/auth/codes/use-question.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { codeWaitSchema } from '#web/platform/session/storage/sign-in-keys.ts';
import { stored } from '#web/platform/session/storage/stored.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';

const nicknameSpecial = localizedMessage(msg`The nickname must not contain special characters`);
const policyMissing = localizedMessage(msg`Accept our Terms Of Use and Privacy Policy`);

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
export function signupExtras({ nickname }: Person, entry: Entry | undefined) {
  return { ...(nickname.trim() ? { nickname: nickname.trim() } : {}), ...(entry ? { entry } : {}) };
}

/** Parameters of a link from the app or a TV device, which are sent with the sign-up. */
export type Entry = Readonly<Record<string, string>>;

/** The current question; `whole`: all at once, if the brand requires no code. */
export type RegisterStep = 'account' | Question | 'whole';

interface Answered {
  /** the brand requires a code */
  readonly withCode: boolean;
  /** a code was sent to the typed account */
  readonly sent: boolean;
  /** the code was typed and is correct */
  readonly proved: boolean;
}

/** The last unfolded question whose predecessors are answered. */
export function stepOf(wanted: Question | undefined, { withCode, sent, proved }: Answered): RegisterStep {
  if (!withCode) return 'whole';
  if (wanted === undefined) return 'account';
  if (proved) return 'password';
  return sent ? 'code' : 'account';
}

/** A proof of `checkSignupCode`, stored for this tab; it is useless once the account exists. */
const proofKey = stored('signupProof', v.object({ ...codeWaitSchema.entries, proof: signupProofSchema }), 'session');
/** A proof must be valid for this long, because typing a password takes time. In milliseconds. */
const spareMs = 60_000;

/** The proof that the typed account belongs to the visitor, if there is one. */
export function useProof(identity: Identity | undefined) {
  const [made, setMade] = useState<v.InferOutput<typeof codeWaitSchema> & { proof: string }>();
  const alive = useHydrated();
  const before = useMemo(() => (alive ? proofKey.get() : undefined), [alive]);
  const held = made ?? before;
  const good = isCodeForAccount(held, identity) && held !== undefined && held.until > serverNow() + spareMs;
  return {
    proof: good ? held.proof : undefined,
    hold: (of: Identity, proof: string, until: number) => {
      proofKey.set({ ...of, proof, until });
      setMade({ ...of, proof, until });
    },
    forget: () => {
      proofKey.remove();
      setMade(held && { ...held, until: 0 });
    },
  };
}
