import { Trans, useLingui } from '@lingui/react/macro';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import styles from '#web/domain/auth/auth-form.module.css';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { CodeField, useFirstField } from '#web/domain/auth/codes/code-field.tsx';
import { SendAgain } from '#web/domain/auth/codes/send-again.tsx';
import { NewPasswordFields } from '#web/domain/account/new-password-fields.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useResetByCode, type ResetStep } from './use-reset-by-code.ts';
import { AccountSummary } from './account-summary.tsx';

interface StepProps {
  reset: ReturnType<typeof useResetByCode>;
}

/** Requests the code unless one was sent; then asks for the code, and for the new password below it. */
export function ResetByCode({ returnTo }: { returnTo: string | undefined }) {
  const reset = useResetByCode(returnTo);
  const { form, code, account, step } = reset;
  const asksAccount = step === 'account';
  useFirstField(step, form.formProps.ref);
  return (
    <form className={styles.form} {...form.formProps}>
      <Problem>{form.summary ?? code.problem}</Problem>
      {asksAccount ? (
        <AccountFields form={form} account={account} problem={code.accountProblem} />
      ) : (
        <AccountSummary identity={reset.identity} onChange={reset.changeAccount} />
      )}
      {asksAccount ? null : <CodeStep reset={reset} />}
      {step === 'password' ? <NewPasswordFields register={form.register} /> : null}
      {code.captcha.view}
      <SubmitButton busy={form.isSubmitting}>
        <SubmitLabel step={step} />
      </SubmitButton>
      {asksAccount ? null : <SendAgain code={code} onTap={reset.sendAgain} />}
    </form>
  );
}

/** The label of the form's button. */
function SubmitLabel({ step }: { step: ResetStep }) {
  if (step === 'account') return <Trans>Send me a code</Trans>;
  return step === 'code' ? <Trans>Continue</Trans> : <Trans>Change password</Trans>;
}

function CodeStep({ reset }: StepProps) {
  const { t } = useLingui();
  const { form, code, goOn } = reset;
  const { onChange: _, ...input } = form.register('code');
  return (
    <CodeField
      {...input}
      focusOn={code.asked}
      onChange={(digits) => form.setValue('code', digits)}
      onComplete={goOn}
      hint={t`If this account exists, a code of 4 digits is on its way to it.`}
    />
  );
}
