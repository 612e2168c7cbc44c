import { msg } from '@lingui/core/macro';
import { useState } from 'react';
import * as v from 'valibot';
import { checkSignupCode, signup } from '#contract/signup.ts';
import type { AccountType } from '#contract/user.ts';
import {
  accountNames,
  completeIdentity,
  identityIn,
  identityOf,
  type Identity,
} from '#web/domain/auth/account-rules.ts';
import { completeSignIn } from '#web/domain/auth/complete-sign-in.ts';
import { useFreshCode } from '#web/domain/auth/codes/code-field.tsx';
import { useCode, codeErrorMessage } from '#web/domain/auth/codes/use-code.ts';
import { useQuestion, type Question } from '#web/domain/auth/codes/use-question.ts';
import { commonPasswordRefusal } from '#web/domain/account/new-password-fields.tsx';
import type { CallError } from '#web/platform/api/api-error.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import type { Language } from '#contract/fields.ts';
import { useLanguage } from '#web/platform/i18n/active.ts';
import { draft } from '#web/platform/session/storage/draft.ts';
import {
  checkRegister,
  emptyRegister,
  signupExtras,
  type Entry,
  type RegisterValues,
  stepOf,
  useProof,
} from './register-rules.ts';
import { useApiMutation, type ApiMutation } from '#web/platform/form/use-api-mutation.ts';

const keptText = v.optional(v.pipe(v.string(), v.maxLength(160)), '');
const kept = draft(
  'register',
  v.object({ account: keptText, phone: keptText, areaCode: keptText, nickname: keptText }),
);
const proofOver = localizedMessage(msg`That took a while. Please confirm your account again.`);

interface RegisterSettings {
  readonly tab: AccountType;
  readonly entry: Entry | undefined;
}

type Outcome = Promise<Refusal<RegisterValues> | undefined>;

/** What the calls of the sign-up need besides its values. */
interface Acting extends Pick<RegisterSettings, 'tab' | 'entry'> {
  readonly withCode: boolean;
  readonly language: Language;
  readonly code: ReturnType<typeof useCode>;
  readonly proved: ReturnType<typeof useProof>;
  readonly goTo: (question: Question | undefined) => void;
  readonly checkCode: ApiMutation<typeof checkSignupCode>;
  readonly create: ApiMutation<typeof signup>;
}

/** A code that was just sent is still valid, and after a correct one no other is needed. */
async function requestCode(values: RegisterValues, { tab, code, proved, goTo }: Acting): Outcome {
  const waits = code.sent && code.waitSeconds > 0;
  if (proved.proof !== undefined) goTo('password');
  else if (waits || (await code.send(identityOf(tab, values)))) goTo('code');
  return {};
}

async function tryCode(values: RegisterValues, { tab, code, checkCode }: Acting): Outcome {
  const body = { ...identityOf(tab, values), code: values.code, request: code.request };
  return (await checkCode.send({ body })).refusal;
}

async function createAccount(values: RegisterValues, acting: Acting): Outcome {
  const { tab, entry, language, code, proved, create } = acting;
  const { captcha } = code;
  const of = identityOf(tab, values);
  if (captcha.missing(of)) return {};
  const said = { ...of, password: values.password, agreePolicy: true, language, proof: proved.proof } as const;
  const body = { ...said, ...signupExtras(values, entry), ...(await captcha.answer()) };
  return (await create.send({ body })).refusal;
}

/** Both calls of the sign-up, with their error handling. */
function useCalls({ withCode, code, proved, goTo, onTaken }: CallSettings) {
  const accountExists = (
    _error: CallError,
    message: LocalizedMessage,
    { body }: { body: Parameters<typeof identityIn>[0] },
  ) => {
    onTaken(identityIn(body));
    return message;
  };
  const checkCode = useApiMutation(checkSignupCode, {
    onSuccess: ({ proof, expiresAt }, { body }) => {
      proved.hold(identityIn(body), proof, expiresAt);
      code.forget();
      goTo('password');
      return stays;
    },
    errors: { accountExists },
    message: codeErrorMessage,
  });
  const create = useApiMutation(signup, {
    onSuccess: (user) => {
      completeSignIn(user, 'register', withCode ? 'code' : 'password');
      proved.forget();
    },
    errors: {
      accountExists,
      invalidRequest: commonPasswordRefusal,
      codeExpired: () => {
        proved.forget();
        goTo(undefined);
        return { summary: proofOver };
      },
      wrongCaptcha: (error, _message, { body }) => code.captcha.ask(identityIn(body), error),
    },
    message: codeErrorMessage,
  });
  return { checkCode, create };
}

interface CallSettings extends Pick<Acting, 'withCode' | 'code' | 'proved' | 'goTo'> {
  /** the account has a password already */
  readonly onTaken: (of: Identity) => void;
}

/** The form stays and shows its next question. */
const stays = {};

/**
 * The sign-up, one question after the other if the brand requires a code, else all at once. All but the password and
 * the code is stored while it is typed.
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
    submit: (values) => acts[step](values, { tab, entry, withCode, language, code, proved, goTo, ...calls }),
    draft: { store: kept, fields: [...accountNames, 'nickname'] },
  });
  const identity = completeIdentity(tab, form.values, validRules);
  const code = useCode('signup', identity);
  const proved = useProof(identity);
  useFreshCode(form, code.asked?.request);
  const calls = useCalls({ withCode, code, proved, goTo, onTaken });
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
    /** the typed account has a password already */
    exists,
    tryNow: () => form.formProps.ref.current?.requestSubmit(),
    sendAgain: () => identity && void code.send(identity),
  };
}

const acts = { account: requestCode, code: tryCode, password: createAccount, whole: createAccount };

export type RegisterControl = ReturnType<typeof useRegister>;
