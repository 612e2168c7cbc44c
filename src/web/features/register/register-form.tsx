import { Trans } from '@lingui/react/macro';
import styles from '#web/domain/auth/auth-form.module.css';
import { GoogleButton, useGoogleClient } from '#web/domain/auth/google-button.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { SendAgain } from '#web/domain/auth/codes/send-again.tsx';
import { useAccountTab } from '#web/domain/auth/use-account-tab.ts';
import { useFirstField } from '#web/domain/auth/codes/code-field.tsx';
import { OrDivider } from '#web/ui/or-divider.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { AccountStep, CodeStep, PasswordStep } from './register-steps.tsx';
import type { Entry } from './register-rules.ts';
import type { RegisterStep } from './register-step.ts';
import { useRegister } from './use-register.ts';

interface RegisterFormProps {
  returnTo: string | undefined;
  entry: Entry | undefined;
}

/**
 * One form on one screen: each question unfolds below the previous one, so that the account stays editable, and a
 * password manager finds the username.
 */
export function RegisterForm({ returnTo, entry }: RegisterFormProps) {
  const account = useAccountTab();
  const register = useRegister({ tab: account.tab, entry });
  const { form, step, code } = register;
  const begins = step === 'account' || step === 'whole';
  const byPhone = account.tab === 'phone';
  useFirstField(step, form.formProps.ref);
  return (
    <>
      <Head step={step} />
      {begins ? <GoogleFirst returnTo={returnTo} /> : null}
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        <AccountStep register={register} account={account} returnTo={returnTo} />
        {step === 'code' ? <CodeStep register={register} byPhone={byPhone} /> : null}
        {step === 'password' || step === 'whole' ? <PasswordStep register={register} byPhone={byPhone} /> : null}
        <Problem>{code.problem}</Problem>
        {code.captcha.view}
        <SubmitButton busy={form.isSubmitting}>
          {step === 'password' || step === 'whole' ? <Trans>Create account</Trans> : <Trans>Continue</Trans>}
        </SubmitButton>
        {step === 'code' ? <SendAgain code={code} onTap={register.sendAgain} /> : null}
      </form>
    </>
  );
}

function Head({ step }: { step: RegisterStep }) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>
        <Trans>Create your account</Trans>
      </h1>
      <p>
        <Introduction step={step} />
      </p>
    </header>
  );
}

function Introduction({ step }: { step: RegisterStep }) {
  if (step === 'code') return <Trans>Enter the 4-digit code we have sent you.</Trans>;
  if (step === 'password') return <Trans>One last step, and your account is ready.</Trans>;
  return <Trans>Your plan, your orders and your receipts are kept under it.</Trans>;
}

/** First, because it needs no typing. */
function GoogleFirst({ returnTo }: Pick<RegisterFormProps, 'returnTo'>) {
  const client = useGoogleClient();
  if (!client) return null;
  return (
    <div className={styles.ways}>
      <GoogleButton client={client} returnTo={returnTo} />
      <OrDivider>
        <Trans>or</Trans>
      </OrDivider>
    </div>
  );
}
