import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { memo, useEffect, useState } from 'react';
import { useContinueWhenSignedIn, storedDeviceToken, completeSignIn } from '#web/domain/auth/complete-sign-in.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { useAccountTab, type AccountTab } from '#web/domain/auth/use-account-tab.ts';
import { withMessages, loadMessages } from '#web/platform/i18n/catalogs.ts';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { flushSync } from 'react-dom';
import {
  accountDraft,
  emptyAccount,
  accountNames,
  checkLogin,
  identityIn,
  identityOf,
  accountErrorMessage,
} from '#web/domain/auth/account-rules.ts';
import type { AccountValues } from '#web/domain/account/account-control.ts';
import { useLazyModule } from '#web/platform/pwa/use-lazy-module.ts';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { codeWaitKey } from '#web/platform/session/storage/sign-in-keys.ts';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { login } from '#contract/auth.ts';
import type { AccountType } from '#contract/user.ts';
import { useForm } from '#web/platform/form/use-form.ts';
import { useDeferredCaptcha } from '#web/domain/auth/captcha/use-deferred-captcha.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** Starts loading at once, in parallel with the form. */
const loading = import('./other-login-methods.tsx');

/** Rendered by the server, and hydrated after the form, whose script they would delay. */
const OtherMethods = lazyPart(() => loading.then((ways) => ways.OtherLoginMethods));
const PasskeySlot = lazyPart(() => loading.then((ways) => ways.PasskeySlot));

/** Rarely shown, and its messages are in another catalogue. */
const LoginNotice = lazyPart(
  async () => (await withMessages('private', import('#web/domain/auth/login-notice.tsx'))).LoginNotice,
);
/** In a file that is loaded when the page is idle and before any call; without it the message is plain text. */
const Alert = lazyPart(async () => (await import('#web/ui/alert.tsx')).Alert, {
  fallback: ({ children }) => <div>{children}</div>,
});

/** `memo`: a new rendering before hydration would discard the server's HTML. */
const OtherWaysSlot = memo(function OtherWaysSlot({ returnTo }: { returnTo: string | undefined }) {
  return <OtherMethods returnTo={returnTo} />;
});

interface LoginPageProps {
  /** a path of the storefront; anything else is ignored */
  returnTo?: string | undefined;
  /** `needed` by the page to return to; `expired`; `passwordChanged`; `checkout`: the session is for one checkout only */
  reason?: string | undefined;
  /** an account in the link */
  account?: string | undefined;
  /** a message above the form: why a link or another provider did not log in */
  before?: Elements;
}

export function LoginPage({ returnTo, reason, account = '', before }: LoginPageProps) {
  const leaving = useContinueWhenSignedIn(returnTo, '/account');
  return (
    <div className={styles.page} inert={leaving}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Log in</Trans>
        </h1>
      </header>
      {before}
      {reason && reason !== 'expired' ? <LoginNotice reason={reason} returnTo={returnTo} /> : null}
      <LoginForm returnTo={returnTo} expired={reason === 'expired'} account={account} />
    </div>
  );
}

interface LoginFormProps {
  returnTo: string | undefined;
  expired: boolean;
  account: string;
}

function LoginForm({ returnTo, expired, account: prefilled }: LoginFormProps) {
  const way = useLoginMethod(prefilled);
  const account = useAccountTab({ first: isNumber(prefilled) ? 'phone' : undefined, byPassword: !way.CodeLogin });
  const shared = { start: way.start, account };
  return (
    <>
      {way.CodeLogin ? (
        <way.CodeLogin {...shared} onPassword={way.toPassword} />
      ) : (
        <PasswordLogin {...shared} returnTo={returnTo} expired={expired} onCode={way.toCode} />
      )}
      <OtherWaysSlot returnTo={returnTo} />
      <p className={styles.other}>
        <Trans>
          New here?{' '}
          <Link to="/register" search={{ return: returnTo }}>
            Create account
          </Link>
        </Trans>
      </p>
      <PasskeySlot />
    </>
  );
}

async function loadCodeLogin() {
  const [{ CodeLogin }] = await Promise.all([import('#web/domain/auth/codes/code-login.tsx'), loadMessages('private')]);
  return CodeLogin;
}

/**
 * Login by password or by code; switching keeps the typed account. A customer who requested a code and returns to a
 * reloaded page, as phones do after reading the email, finds the code field again.
 */
function useLoginMethod(account: string) {
  const offered = useBrand().siteConfig.login.codeLogin;
  const [byCode, setByCode] = useState(false);
  const [start, setStart] = useState<AccountValues>({ ...emptyAccount, ...asAccount(account) });
  const [CodeLogin, wantCodeLogin] = useLazyModule(loadCodeLogin);
  useEffect(() => {
    if (!offered || !codeWaitKey('login').get()) return;
    void wantCodeLogin().then(setByCode);
  }, [offered, wantCodeLogin]);
  const toPassword = (typed: AccountValues) => {
    setStart(typed);
    setByCode(false);
  };
  const toCode = (typed: AccountValues) => {
    accountDraft.set(typed);
    void wantCodeLogin().then((found) => {
      const focused = document.activeElement;
      // synchronously: React would batch the swap with the next key press, and the unmounted form would lose that key
      flushSync(() => {
        // the draft contains what was typed while the code was loading
        setStart(accountDraft.get() ?? typed);
        setByCode(found);
      });
      if (found && focused instanceof HTMLInputElement) focusAgain(focused);
    });
  };
  return { start, CodeLogin: byCode ? CodeLogin : undefined, toPassword, toCode: offered ? toCode : undefined };
}

/** Moves the focus to the field that replaced the focused one, with the caret at the end. */
function focusAgain({ name }: HTMLInputElement): void {
  const field = document.querySelector<HTMLInputElement>(`form input[name="${name}"]`);
  if (!field) return;
  field.focus();
  // null for inputs without text, such as radio buttons
  if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
}

/** An account in a link may be a phone number. */
const isNumber = (account: string): boolean => /^\+?\d+$/.test(account);

function asAccount(account: string): Partial<AccountValues> {
  return isNumber(account) ? { phone: account.replace('+', '') } : { account };
}

interface PasswordLoginProps {
  start: AccountValues;
  account: AccountTab;
  returnTo: string | undefined;
  /** the session expired */
  expired: boolean;
  /** switches to a code, if the brand offers codes */
  onCode: ((typed: AccountValues) => void) | undefined;
}

function PasswordLogin({ start, account, returnTo, expired, onCode }: PasswordLoginProps) {
  const { t } = useLingui();
  const { captcha, ...form } = useLogin(start, account.tab);
  return (
    <>
      <FormNotice summary={form.summary} expired={expired} />
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

function FormNotice({ summary, expired }: { summary: string | undefined; expired: boolean }) {
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
