import { Trans, useLingui } from '@lingui/react/macro';
import { AccountFields } from '../account-fields.tsx';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import styles from '../auth-form.module.css';
import { SubmitButton } from '../submit-button.tsx';
import type { AccountTab } from '../use-account-tab.ts';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';
import { CodeField, useFreshCode } from './code-field.tsx';
import { SendAgain } from '../mail-sent.tsx';
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
import { storedDeviceToken, completeSignIn } from '../complete-sign-in.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import type { Refusal } from '#web/platform/form/form-state.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { useCode, codeProblem, codeErrorMessage } from './use-code.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface CodeLoginProps {
  /** the account as typed so far */
  start: AccountValues;
  account: AccountTab;
  /** returns to the password form */
  onPassword: (typed: AccountValues) => void;
}

/** Login by a code from email or SMS instead of a password. The code is sent as soon as it has four digits. */
export function CodeLogin({ start, account, onPassword }: CodeLoginProps) {
  const login = useCodeLogin(start, account.tab);
  const { form, code } = login;
  return (
    <>
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        <AccountFields form={form} account={account} problem={code.accountProblem} />
        {code.sent ? <CodeStep login={login} byPhone={account.tab === 'phone'} /> : null}
        <Problem>{code.problem}</Problem>
        {code.captcha.view}
        <SubmitButton busy={form.isSubmitting}>
          {code.sent ? <Trans>Log in</Trans> : <Trans>Send code</Trans>}
        </SubmitButton>
        {code.sent ? <SendAgain code={code} onTap={login.sendAgain} /> : null}
        <Button variant="quiet" wide className={styles.quiet} onClick={() => onPassword(form.values)}>
          <Trans>Use a password instead</Trans>
        </Button>
      </form>
    </>
  );
}

interface StepProps {
  login: ReturnType<typeof useCodeLogin>;
}

function CodeStep({ login, byPhone }: StepProps & { byPhone: boolean }) {
  const { t } = useLingui();
  const { form, code, tryNow } = login;
  const { onChange: _, ...input } = form.register('code');
  return (
    <CodeField
      {...input}
      onChange={(digits) => form.setValue('code', digits)}
      onComplete={tryNow}
      focusOn={code.asked}
      hint={
        byPhone
          ? t`If this number has an account, we’ve texted it a code.`
          : t`If this address has an account, we’ve emailed it a code.`
      }
    />
  );
}

type Values = AccountValues & Readonly<{ code: string }>;

/**
 * A form with two steps: it requests a code, then logs in with it. The second step is shown if a code was sent to the
 * typed account, so changing the account returns to the first step. The code is never stored.
 */
function useCodeLogin(start: AccountValues, tab: AccountType) {
  const { validRules } = useBrand().siteConfig;
  const login = useApiMutation(codeLogin, {
    onSuccess: (user) => {
      completeSignIn(user, 'login', 'code');
      code.forget();
    },
    message: codeErrorMessage,
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
