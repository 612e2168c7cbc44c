import { codeLogin } from '#contract/codes.ts';
import type { AccountType } from '#contract/user.ts';
import {
  accountDraft,
  accountNames,
  accountProblems,
  completeIdentity,
  identityOf,
  type Identity,
} from '../account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { storedDeviceToken, completeSignIn } from '../enter.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { useFreshCode } from './code-field.tsx';
import { codeProblem, codeWords } from './code-words.ts';
import { useCode } from './use-code.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type Values = AccountValues & Readonly<{ code: string }>;

/**
 * A form with two steps: it requests a code, then logs in with it. The second step is shown if a code was sent to the
 * typed account, so changing the account returns to the first step. The code is never stored.
 */
export function useCodeLogin(start: AccountValues, tab: AccountType) {
  const { validRules } = useBrand().siteConfig;
  const login = useApiMutation(codeLogin, {
    onSuccess: (user) => {
      completeSignIn(user, 'login', 'code');
      code.forget();
    },
    message: codeWords,
  });
  const form = useForm<Values>({
    initial: { ...start, code: '' },
    check: (values) => accountProblems(tab, values, validRules),
    submit: async (values) => {
      if (!code.sent) return ask(identityOf(tab, values));
      // Not part of `check`: an empty field that has just appeared is no error.
      const problem = codeProblem(values.code);
      if (problem) return { fields: { code: problem } };
      const body = {
        ...identityOf(tab, values),
        code: values.code,
        request: code.request,
        device: storedDeviceToken(),
      };
      return (await login.send({ body })).refusal;
    },
    draft: { store: accountDraft, fields: accountNames },
  });
  const identity = completeIdentity(tab, form.values, validRules);
  const code = useCode('login', identity);
  useFreshCode(form, code.asked?.request);
  /** An empty refusal: the form stays, and `code` shows the error. */
  const ask = async (asked: Identity): Promise<Refusal<Values>> => {
    await code.send(asked);
    return {};
  };
  return {
    form,
    code,
    sendAgain: () => identity && void code.send(identity),
    /** submits like a tap on the button */
    tryNow: () => form.formProps.ref.current?.requestSubmit(),
  };
}
