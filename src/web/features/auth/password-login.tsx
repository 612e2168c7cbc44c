import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import type { AccountTab } from '#web/domain/auth/use-account-tab.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { login } from '#contract/auth.ts';
import type { AccountType } from '#contract/user.ts';
import {
  accountDraft,
  accountNames,
  checkLogin,
  identityIn,
  identityOf,
  accountErrorMessage,
} from '#web/domain/auth/account-rules.ts';
import { storedDeviceToken, completeSignIn } from '#web/domain/auth/complete-sign-in.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm } from '#web/platform/form/use-form.ts';
import { useDeferredCaptcha } from '#web/domain/auth/captcha/use-deferred-captcha.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface PasswordLoginProps {
  start: AccountValues;
  account: AccountTab;
  returnTo: string | undefined;
  /** the session expired */
  expired: boolean;
  /** switches to a code, if the brand offers codes */
  onCode: ((typed: AccountValues) => void) | undefined;
}

export function PasswordLogin({ start, account, returnTo, expired, onCode }: PasswordLoginProps) {
  const { t } = useLingui();
  const { captcha, ...form } = useLogin(start, account.tab);
  return (
    <>
      <LoginNotice summary={form.summary} expired={expired} />
      <form className={styles.form} {...form.formProps}>
        <AccountFields form={form} account={account} />
        <div className={styles.password}>
          <PasswordField
            {...form.register('password')}
            label={t`Password`}
            autoComplete="current-password"
            enterKeyHint="go"
          />
          <Link to="/forgot-password" search={{ return: returnTo }}>
            <Trans>Forgot your password?</Trans>
          </Link>
        </div>
        {captcha.Part ? <captcha.Part onControl={captcha.onControl} /> : null}
        <SubmitButton busy={form.isSubmitting}>
          <Trans>Log in</Trans>
        </SubmitButton>
        {onCode ? (
          <Button variant="quiet" wide className={styles.quiet} onClick={() => onCode(form.values)}>
            <Trans>Use a code instead</Trans>
          </Button>
        ) : null}
      </form>
    </>
  );
}

function LoginNotice({ summary, expired }: { summary: string | undefined; expired: boolean }) {
  if (summary)
    return (
      <Alert tone="danger" live="assertive">
        {summary}
      </Alert>
    );
  return expired ? (
    <Alert tone="info">
      <Trans>Please log in again</Trans>
    </Alert>
  ) : null;
}

type LoginValues = AccountValues & Readonly<{ password: string }>;

/** The login form. The account is stored while it is typed; the password never is. */
function useLogin(start: AccountValues, tab: AccountType) {
  const { validRules } = useBrand().siteConfig;
  const captcha = useDeferredCaptcha();
  const request = useApiMutation(login, {
    onSuccess: (user) => completeSignIn(user, 'login', 'password'),
    errors: { wrongCaptcha: (error, _message, { body }) => captcha.ask(identityIn(body), error) },
    message: accountErrorMessage,
  });
  const form = useForm<LoginValues>({
    initial: { ...start, password: '' },
    check: (values) => checkLogin(tab, values, validRules),
    submit: async (values) => {
      const identity = identityOf(tab, values);
      if (captcha.missing(identity)) return {};
      const { password } = values;
      const body = { ...identity, password, device: storedDeviceToken(), ...(await captcha.answer()) };
      return (await request.send({ body })).refusal;
    },
    draft: { store: accountDraft, fields: accountNames },
  });
  return { ...form, captcha };
}
