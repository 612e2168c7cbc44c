import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { AccountFields } from '../../account-form/account-fields.tsx';
import styles from '../../account-form/auth-form.module.css';
import { SubmitButton } from '../../account-form/submit-button.tsx';
import { CodeField } from '../../identity/code-field.tsx';
import { NewPasswordFields } from '../../identity/new-password-fields.tsx';
import { SendCodeWords } from '../../identity/send-code-words.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Button } from '../../ui/button.tsx';
import { useResetByCode } from './use-reset-by-code.ts';

/** First the code is asked for, where that has not been done yet; then it is typed in, with the new password. */
export function ResetByCode({ returnTo }: { returnTo: string | undefined }) {
  const reset = useResetByCode(returnTo);
  const { form, code, account } = reset;
  const problem = form.summary ?? code.problem;
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{problem}</Problem>
      <AccountFields form={form} account={account} problem={code.accountProblem} />
      {code.sent ? <CodeStep reset={reset} /> : null}
      {code.captcha.view}
      <SubmitButton busy={form.busy}>
        {code.sent ? <Trans>Change password</Trans> : <Trans>Send me a code</Trans>}
      </SubmitButton>
    </form>
  );
}

function CodeStep({ reset }: { reset: ReturnType<typeof useResetByCode> }) {
  const { t } = useLingui();
  const { form, code, sendAgain } = reset;
  const { onChange: _, ...input } = form.text('code');
  const [arrived] = useState({});
  const told = t`If this account exists, a code of 4 digits is on its way to it.`;
  return (
    <>
      <div className={styles.code}>
        <CodeField
          {...input}
          focusOn={code.asked ?? arrived}
          onChange={(digits) => form.set('code', digits)}
          hint={told}
        />
        <Button
          variant="quiet"
          className={styles.again}
          busy={code.busy}
          disabled={code.waitSeconds > 0}
          onClick={sendAgain}
        >
          <SendCodeWords sent seconds={code.waitSeconds} />
        </Button>
      </div>
      <NewPasswordFields text={form.text} />
    </>
  );
}
