import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import styles from '../../domain/auth/auth-form.module.css';
import { GoogleButton, useGoogleClient } from '../../domain/auth/google-button.tsx';
import { SubmitButton } from '../../domain/auth/submit-button.tsx';
import { SendAgain } from '../../domain/codes/whose.tsx';
import { useAccountTab } from '../../domain/auth/use-account-tab.ts';
import { useFirstField } from '../../domain/codes/code-field.tsx';
import { OrDivider } from '../../ui/or-divider.tsx';
import { Problem } from '../../ui/problem.tsx';
import { AccountStep, CodeStep, PasswordStep } from './register-steps.tsx';
import type { Entry } from './register-rules.ts';
import type { LaterStep, RegisterStep } from './register-step.ts';
import { useRegister } from './use-register.ts';

interface RegisterFormProps {
  returnTo: string | undefined;
  entry: Entry | undefined;
  /** the question that the address names */
  wanted: LaterStep | undefined;
}

/** One form through all questions, so that a password manager sees whose password it is. */
export function RegisterForm({ returnTo, entry, wanted }: RegisterFormProps) {
  const account = useAccountTab();
  const register = useRegister({ tab: account.tab, entry, wanted });
  const { form, step, code } = register;
  const begins = step === 'account' || step === 'whole';
  const byPhone = account.tab === 'phone';
  useFirstField(step, form.formProps.ref);
  return (
    <>
      <Head step={step} byPhone={byPhone} />
      {begins ? <GoogleFirst returnTo={returnTo} /> : null}
      <Problem>{form.summary}</Problem>
      <form className={styles.form} {...form.formProps}>
        {begins ? <AccountStep register={register} account={account} returnTo={returnTo} /> : null}
        {step === 'code' ? <CodeStep register={register} byPhone={byPhone} /> : null}
        {step === 'password' || step === 'whole' ? <PasswordStep register={register} /> : null}
        <Problem>{code.problem}</Problem>
        {code.captcha.view}
        <SubmitButton busy={form.busy}>
          {step === 'password' || step === 'whole' ? <Trans>Create account</Trans> : <Trans>Continue</Trans>}
        </SubmitButton>
        {step === 'code' ? <SendAgain code={code} onTap={register.sendAgain} /> : null}
      </form>
    </>
  );
}

function Head({ step, byPhone }: { step: RegisterStep; byPhone: boolean }) {
  if (step === 'code') {
    return (
      <Title title={byPhone ? <Trans>Check your messages</Trans> : <Trans>Check your email</Trans>}>
        <Trans>Enter the 4-digit code we have sent you.</Trans>
      </Title>
    );
  }
  if (step === 'password') {
    return (
      <Title title={<Trans>Choose a password</Trans>}>
        <Trans>One last step, and your account is ready.</Trans>
      </Title>
    );
  }
  return (
    <Title title={<Trans>Create your account</Trans>}>
      <Trans>Your plan, your orders and your receipts are kept under it.</Trans>
    </Title>
  );
}

function Title({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title}>{title}</h1>
      <p>{children}</p>
    </header>
  );
}

/** Nothing to type, so it comes first. */
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
