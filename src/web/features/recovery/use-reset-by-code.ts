import { useNavigate } from '@tanstack/react-router';
import { onlyProblems } from '#web/platform/form/localized-message.ts';
import { resetPasswd } from '#contract/codes.ts';
import {
  accountNames,
  accountProblems,
  completeIdentity,
  emptyAccount,
  identityOf,
} from '#web/domain/auth/account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { storedDeviceToken } from '#web/domain/auth/complete-sign-in.ts';
import { newPasswordProblems, commonPasswordRefusal } from '#web/domain/account/new-password-fields.tsx';
import { useAccountTab } from '#web/domain/auth/use-account-tab.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { useFreshCode } from '#web/domain/auth/codes/code-field.tsx';
import { useCode, codeProblem, codeErrorMessage } from '#web/domain/auth/codes/use-code.ts';
import { useQuestion, type Question } from '#web/domain/auth/codes/use-question.ts';
import { lastingAccount } from './use-forgot.ts';
import { useAfterReset } from './mail-token.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

type Values = AccountValues & Readonly<{ code: string; password: string; repeated: string }>;

const empty: Values = { ...emptyAccount, code: '', password: '', repeated: '' };

export type ResetStep = 'account' | Question;

/** The last unfolded question whose predecessors are answered. */
export function resetStep(wanted: Question | undefined, sent: boolean): ResetStep {
  if (!sent) return 'account';
  return wanted === 'password' ? 'password' : 'code';
}

/** The problems of the answers so far; later questions are not validated. */
function problemsAt(step: ResetStep, { code, password, repeated }: Values) {
  return {
    ...(step === 'account' ? {} : onlyProblems({ code: codeProblem(code) })),
    ...(step === 'password' ? newPasswordProblems({ password, repeated }) : {}),
  };
}

const resetOptions = { errors: { invalidRequest: commonPasswordRefusal }, message: codeErrorMessage };

/**
 * Sets a new password by a code, one question after the other. The code is checked together with the password; a wrong
 * code is requested again, above the typed password. The account is stored while it is typed; the code and the password
 * never are. `returnTo` is a path of the storefront that the login leads back to.
 */
export function useResetByCode(returnTo: string | undefined) {
  const { validRules } = useBrand().siteConfig;
  const navigate = useNavigate();
  const [wanted, goTo] = useQuestion();
  const account = useAccountTab();
  const afterReset = useAfterReset(returnTo);
  const { tab } = account;
  const reset = useApiMutation(resetPasswd, { ...resetOptions, onSuccess: afterReset });
  const change = async (values: Values) => {
    const sent = { code: values.code, request: code.request, password: values.password };
    const body = { ...identityOf(tab, values), ...sent, device: storedDeviceToken() };
    const { result, refusal } = await reset.send({ body });
    if (result) code.forget();
    return refusal;
  };
  const form = useForm<Values>({
    initial: empty,
    check: (values) => ({ ...accountProblems(tab, values, validRules), ...problemsAt(step, values) }),
    submit: async (values) => {
      if (step === 'password') return change(values);
      if (step === 'code') goOn();
      else await code.send(identityOf(tab, values));
      // An empty refusal: the form stays, and `code` shows the error.
      return {};
    },
    draft: { store: lastingAccount, fields: accountNames },
  });
  const identity = completeIdentity(tab, form.values, validRules);
  const code = useCode('reset', identity);
  useFreshCode(form, code.asked?.request);
  const step = resetStep(wanted, code.sent);
  const goOn = () => {
    code.clearProblem();
    goTo('password');
  };
  const changeAccount = () => void navigate({ to: '/forgot-password', search: { return: returnTo } });
  const sendAgain = () => void (identity && code.send(identity));
  return { form, code, account, identity, step, goOn, changeAccount, sendAgain };
}
