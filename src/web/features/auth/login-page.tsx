import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { withoutSpaces } from '../../form/use-form.ts';
import { Alert } from '../../ui/alert.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { AccountField } from './account-field.tsx';
import { useGoOnWhenSignedIn } from './after-login.ts';
import styles from './auth-form.module.css';
import { SubmitButton } from './submit-button.tsx';
import { useLogin } from './use-login.ts';

interface LoginPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `expired`: the session ended by itself */
  reason?: string | undefined;
  /** an account that a link brought along */
  account?: string | undefined;
}

export function LoginPage({ returnTo, reason, account }: LoginPageProps) {
  const { t } = useLingui();
  const { formProps, text, busy, summary } = useLogin(account);
  useGoOnWhenSignedIn(returnTo, '/account');
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Log in</Trans>
        </h1>
      </header>
      {reason === 'expired' && !summary ? (
        <Alert tone="info">
          <Trans>Please log in again</Trans>
        </Alert>
      ) : null}
      {summary ? (
        <Alert tone="danger" live="assertive">
          {summary}
        </Alert>
      ) : null}
      <form className={styles.form} {...formProps}>
        <AccountField {...text('account', withoutSpaces)} />
        <PasswordField
          {...text('password')}
          label={t`Password`}
          autoComplete="current-password"
          enterKeyHint="go"
          maxLength={200}
        />
        <SubmitButton busy={busy}>
          <Trans>Log in</Trans>
        </SubmitButton>
      </form>
      <p className={styles.other}>
        <Trans>
          New here?{' '}
          <Link to="/register" search={{ return: returnTo }}>
            Create account
          </Link>
        </Trans>
      </p>
    </div>
  );
}
