import { Trans, useLingui } from '@lingui/react/macro';
import { AccountFields } from '../account-fields.tsx';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import styles from '../auth-form.module.css';
import { SubmitButton } from '../submit-button.tsx';
import type { AccountTab } from '../use-account-tab.ts';
import { Problem } from '#web/ui/problem.tsx';
import { Button } from '#web/ui/button.tsx';
import { CodeField } from './code-field.tsx';
import { SendAgain } from './send-again.tsx';
import { useCodeLogin } from './use-code-login.ts';

export interface CodeLoginProps {
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
          <Trans>Use the password instead</Trans>
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
          ? t`If this number has an account, an SMS with a code is on its way.`
          : t`If this address has an account, an email with a code is on its way.`
      }
    />
  );
}
