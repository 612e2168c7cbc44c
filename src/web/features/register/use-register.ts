import { msg } from '@lingui/core/macro';
import { useState } from 'react';
import * as v from 'valibot';
import { checkSignupCode, signup } from '#contract/signup.ts';
import type { AccountType } from '#contract/user.ts';
import {
  accountNames,
  accountFields,
  completeIdentity,
  identityOf,
  type Identity,
} from '#web/domain/auth/account-rules.ts';
import { completeSignIn } from '#web/domain/auth/enter.ts';
import { useFreshCode } from '#web/domain/auth/codes/code-field.tsx';
import { codeWords } from '#web/domain/auth/codes/code-words.ts';
import { useCode } from '#web/domain/auth/codes/use-code.ts';
import { useQuestion, type Question } from '#web/domain/auth/codes/use-question.ts';
import { guessedPassword } from '#web/domain/account/new-password-fields.tsx';
import { isRefused } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { say } from '#web/platform/form/words.ts';
import type { Language } from '#contract/fields.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import { checkRegister, emptyRegister, told, type Entry, type RegisterValues } from './register-rules.ts';
import { stepOf, useProof } from './register-step.ts';

const keptText = v.optional(v.pipe(v.string(), v.maxLength(160)), '');
const kept = draft(
  'register',
  v.object({ account: keptText, phone: keptText, areaCode: keptText, nickname: keptText }),
);
const owned = ownedBy([...signup.errors, ...checkSignupCode.errors]);
const proofOver = say(msg`That took a while. Please confirm your account once more.`);

function refusalFor(tab: AccountType, error: unknown): Refusal<RegisterValues> {
  const fields = { ...accountFields(tab), code: 'code', nickname: 'nickname', password: 'password' } as const;
  return guessedPassword(error) ?? refusalOf<RegisterValues>(error, { fields, owned, words: codeWords });
}

interface RegisterSettings {
  readonly tab: AccountType;
  readonly entry: Entry | undefined;
}

type Outcome = Promise<Refusal<RegisterValues> | undefined>;

/** What the answers of a sign-up are sent with. */
interface Acting extends Pick<RegisterSettings, 'tab' | 'entry'> {
  readonly withCode: boolean;
  readonly language: Language;
  readonly code: ReturnType<typeof useCode>;
  readonly proved: ReturnType<typeof useProof>;
  readonly goTo: (question: Question | undefined) => void;
  /** the account has a password already */
  readonly onTaken: (of: Identity) => void;
}

/** One that went out a moment ago still counts, and one that was right needs no other. */
async function ask(values: RegisterValues, { tab, code, proved, goTo }: Acting): Outcome {
  const waits = code.sent && code.waitSeconds > 0;
  if (proved.proof !== undefined) goTo('password');
  else if (waits || (await code.send(identityOf(tab, values)))) goTo('code');
  return {};
}

async function tryCode(values: RegisterValues, { tab, code, proved, goTo, onTaken }: Acting): Outcome {
  const of = identityOf(tab, values);
  try {
    const body = { ...of, code: values.code, request: code.request };
    const { proof, expiresAt } = await call(checkSignupCode, { body }, { handledErrors: owned });
    proved.hold(of, proof, expiresAt);
  } catch (error) {
    if (isRefused(error, 'accountExists')) onTaken(of);
    return refusalFor(tab, error);
  }
  code.forget();
  goTo('password');
  return {};
}

async function create(values: RegisterValues, acting: Acting): Outcome {
  const { tab, entry, withCode, language, code, proved, goTo } = acting;
  const { captcha } = code;
  const of = identityOf(tab, values);
  if (captcha.missing(of)) return {};
  const said = { ...of, password: values.password, agreePolicy: true, language, proof: proved.proof } as const;
  try {
    const body = { ...said, ...told(values, entry), ...(await captcha.answer()) };
    const user = await call(signup, { body }, { handledErrors: owned });
    completeSignIn(user, 'register', withCode ? 'code' : 'password');
    proved.forget();
    return undefined;
  } catch (error) {
    if (isRefused(error, 'accountExists')) acting.onTaken(of);
    if (isRefused(error, 'codeExpired')) {
      proved.forget();
      goTo(undefined);
      return { summary: proofOver };
    }
    if (!isRefused(error, 'wrongCaptcha')) return refusalFor(tab, error);
    captcha.ask(of, error);
    return {};
  }
}

/**
 * The sign-up, one question after the other where the brand asks for a code, and all at once where it does not. What is
 * no secret is kept while it is typed; the password and the code never are.
 */
export function useRegister({ tab, entry }: RegisterSettings) {
  const { validRules, login } = useBrand().siteConfig;
  const withCode = login.signupCode;
  const language = useLanguage();
  const [wanted, goTo] = useQuestion();
  const [taken, setTaken] = useState<Identity>();
  const onTaken = (of: Identity) => {
    setTaken(of);
    if (withCode) goTo(undefined);
  };
  const form = useForm<RegisterValues>({
    initial: emptyRegister,
    check: (values) => checkRegister(values, { tab, rules: validRules, step }),
    submit: (values) => acts[step](values, { tab, entry, withCode, language, code, proved, goTo, onTaken }),
    draft: { store: kept, fields: [...accountNames, 'nickname'] },
  });
  const identity = completeIdentity(tab, form.values, validRules);
  const code = useCode('signup', identity);
  const proved = useProof(identity);
  useFreshCode(form, code.asked?.request);
  const step = stepOf(wanted, {
    withCode,
    sent: identity !== undefined && code.sent,
    proved: proved.proof !== undefined,
  });
  const exists = taken !== undefined && taken.account === identity?.account && taken.areaCode === identity.areaCode;
  return {
    form,
    code,
    step,
    /** the account that stands there has a password already */
    exists,
    tryNow: () => form.formProps.ref.current?.requestSubmit(),
    sendAgain: () => identity && void code.send(identity),
  };
}

const acts = { account: ask, code: tryCode, password: create, whole: create };

export type RegisterControl = ReturnType<typeof useRegister>;
