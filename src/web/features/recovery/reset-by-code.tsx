import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { AccountFields } from '../../domain/auth/account-fields.tsx';
import styles from '../../domain/auth/auth-form.module.css';
import { SubmitButton } from '../../domain/auth/submit-button.tsx';
import { CodeField, useFirstField } from '../../domain/codes/code-field.tsx';
import { SendAgain, Whose } from '../../domain/codes/whose.tsx';
import { NewPasswordFields } from '../../domain/account/new-password-fields.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useResetByCode, type ResetSettings, type ResetStep } from './use-reset-by-code.ts';

interface StepProps {
  reset: ReturnType<typeof useResetByCode>;
}

/** First the code is asked for, where that has not been done yet; then it is typed in, and then the new password. */
export function ResetByCode(settings: ResetSettings) {
  const reset = useResetByCode(settings);
  const { form, code, account, step } = reset;
  useFirstField(step, form.formProps.ref);
  return (
    <>
      <Head reset={reset} />
      <form className={styles.form} {...form.formProps}>
        <Problem>{form.summary ?? code.problem}</Problem>
        {step === 'account' ? (
          <AccountFields form={form} account={account} problem={code.accountProblem} />
        ) : (
          <Whose identity={reset.identity} onChange={reset.changeAccount} />
        )}
        {step === 'code' ? <CodeStep reset={reset} /> : null}
        {step === 'password' ? <NewPasswordFields text={form.text} /> : null}
        {code.captcha.view}
        <SubmitButton busy={form.busy}>
          <Next step={step} />
        </SubmitButton>
        {step === 'code' ? <SendAgain code={code} onTap={reset.sendAgain} /> : null}
      </form>
    </>
  );
}

function Head({ reset: { step, account } }: StepProps) {
  const where = account.tab === 'phone' ? <Trans>Check your messages</Trans> : <Trans>Check your email</Trans>;
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>{step === 'code' ? where : <Trans>Choose a new password</Trans>}</h1>
    </header>
  );
}

/** What the form's button does. */
function Next({ step }: { step: ResetStep }) {
  if (step === 'account') return <Trans>Send me a code</Trans>;
  return step === 'code' ? <Trans>Continue</Trans> : <Trans>Change password</Trans>;
}

function CodeStep({ reset }: StepProps) {
  const { t } = useLingui();
  const { form, code, goOn } = reset;
  const { onChange: _, ...input } = form.text('code');
  const [arrived] = useState({});
  return (
    <CodeField
      {...input}
      focusOn={code.asked ?? arrived}
      onChange={(digits) => form.set('code', digits)}
      onComplete={goOn}
      hint={t`If this account exists, a code of 4 digits is on its way to it.`}
    />
  );
}
