import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Alert } from '../../ui/alert.tsx';
import { useGoOnWhenSignedIn } from './after-login.ts';
import styles from './auth-form.module.css';
import { RegisterFields } from './register-fields.tsx';
import { SubmitButton } from './submit-button.tsx';
import { useRegister, type Entry } from './use-register.ts';

interface RegisterPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  entry?: Entry | undefined;
}

export function RegisterPage({ returnTo, entry }: RegisterPageProps) {
  const form = useRegister(entry);
  useGoOnWhenSignedIn(returnTo, '/pricing-table');
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Create your account</Trans>
        </h1>
        <p>
          <Trans>Your plan, your orders and your receipts are kept under it.</Trans>
        </p>
      </header>
      {form.summary ? (
        <Alert tone="danger" live="assertive">
          {form.summary}
        </Alert>
      ) : null}
      <form className={styles.form} {...form.formProps}>
        <RegisterFields form={form} />
        <SubmitButton busy={form.busy}>
          <Trans>Create account</Trans>
        </SubmitButton>
      </form>
      <p className={styles.other}>
        <Trans>
          Already with us?{' '}
          <Link to="/login" search={{ return: returnTo }}>
            Log in
          </Link>
        </Trans>
      </p>
    </div>
  );
}
