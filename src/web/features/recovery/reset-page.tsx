import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '#web/platform/brand/link.tsx';
import { useState, useEffect } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { mailTokenOf, clearMailToken } from './mail-token.ts';
import { AccountFields } from '#web/domain/auth/account-fields.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { CodeField, useFirstField } from '#web/domain/auth/codes/code-field.tsx';
import { SendAgain } from '#web/domain/auth/mail-sent.tsx';
import { NewPasswordFields } from '#web/domain/account/new-password-fields.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useResetByCode, type ResetStep } from './use-reset-by-code.ts';
import { useQuery } from '@tanstack/react-query';
import { accountText } from '#contract/mask.ts';
import { obtainResetPasswordEmail } from '#contract/email.ts';
import { callErrorOf, isRefused, type CallError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { messageOfError } from '#web/platform/api/error-message.ts';
import { waitMessage } from '#web/domain/auth/codes/use-code.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { NewPasswordForm, LinkGone } from './new-password-form.tsx';
import type { Identity } from '#web/domain/auth/account-rules.ts';
import { KnownUsername } from '#web/domain/auth/known-username.tsx';
import summaryStyles from './account-summary.module.css';

interface ResetPageProps {
  /** a path of the storefront that the login leads back to */
  returnTo: string | undefined;
}

/** /reset-password: sets a new password by an email link or by a code. */
export function ResetPage({ returnTo }: ResetPageProps) {
  const [token] = useState(() => mailTokenOf('reset'));
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Choose a new password</Trans>
        </h1>
      </header>
      <ResetForm token={token} returnTo={returnTo} />
      <p className={styles.other}>
        <Link to="/login" search={{ return: returnTo }}>
          <Trans>Back to login</Trans>
        </Link>
      </p>
    </div>
  );
}

/** A link whose token cannot be valid is gone; without a link, a code is sent. */
export function ResetForm({ token, returnTo }: ResetPageProps & { token: string | undefined }) {
  if (token === '') return <NewLink returnTo={returnTo} />;
  return token ? <ResetByMail token={token} returnTo={returnTo} /> : <ResetByCode returnTo={returnTo} />;
}

interface StepProps {
  reset: ReturnType<typeof useResetByCode>;
}

/** Requests the code unless one was sent; then asks for the code, and for the new password below it. */
function ResetByCode({ returnTo }: { returnTo: string | undefined }) {
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
      hint={t`If this account exists, we’ve sent it a 4-digit code.`}
    />
  );
}

interface ResetByMailProps {
  token: string;
  returnTo: string | undefined;
}

/** The form behind a reset link: the account, and its new password. */
function ResetByMail({ token, returnTo }: ResetByMailProps) {
  const { email, error, gone, drop, retry } = useLink(token);
  if (gone) return <NewLink returnTo={returnTo} />;
  if (email) return <NewPasswordForm token={token} email={email} returnTo={returnTo} onLinkExpired={drop} />;
  if (error) return <LinkCheckFailed error={error} onRetry={retry} />;
  return <Skeleton lines={3} height={52} />;
}

/** The server's data about the link. */
function useLink(token: string) {
  // Fetched once and not cached: the query key contains the token.
  const asked = {
    ...q(obtainResetPasswordEmail, { body: { token } }, { quiet: true }),
    gcTime: 0,
    staleTime: Infinity,
  };
  const { data, error, refetch } = useQuery(asked);
  const [dropped, setDropped] = useState(false);
  const gone = dropped || isRefused(error, 'linkGone');
  return {
    email: data?.email,
    error: callErrorOf(error),
    gone,
    drop: () => setDropped(true),
    retry: () => void refetch(),
  };
}

/** The token is cleared, so that a code can be used here later. */
function NewLink({ returnTo }: { returnTo: string | undefined }) {
  useEffect(clearMailToken, []);
  return (
    <>
      <LinkGone>
        <Trans>It was already used, has expired or was replaced by a newer one.</Trans>
      </LinkGone>
      <Link to="/forgot-password" search={{ return: returnTo }} className={buttonClass({ size: 'lg', wide: true })}>
        <Trans>Send a new link</Trans>
      </Link>
    </>
  );
}

function LinkCheckFailed({ error, onRetry }: { error: CallError; onRetry: () => void }) {
  const { i18n } = useLingui();
  const again = (
    <Button variant="secondary" onClick={onRetry}>
      <Trans>Retry</Trans>
    </Button>
  );
  return (
    <Alert tone="danger" live="assertive" action={again}>
      {waitMessage(error)?.(i18n) ?? messageOfError(i18n, error)}
    </Alert>
  );
}

interface AccountSummaryProps {
  identity: Identity | undefined;
  onChange: () => void;
}

/** The account as typed, and a button to change it. A password manager reads it as the username. */
function AccountSummary({ identity, onChange }: AccountSummaryProps) {
  if (!identity) return null;
  const { account, type, areaCode } = identity;
  const [name, host] = account.split('@');
  return (
    <div className={summaryStyles.whose}>
      <KnownUsername value={account} />
      <b data-private translate="no">
        <span>{type === 'phone' ? accountText(`${areaCode ?? ''}${account}`) : name}</span>
        {/* a long address wraps before its domain */}
        {host === undefined ? null : <wbr />}
        <span>{host === undefined ? null : `@${host}`}</span>
      </b>
      <Button variant="quiet" onClick={onChange}>
        <Trans>Change</Trans>
      </Button>
    </div>
  );
}
