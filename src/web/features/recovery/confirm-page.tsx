import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Link } from '#web/platform/brand/link.tsx';
import { useEffect, useState } from 'react';
import styles from '#web/domain/auth/auth-form.module.css';
import { clearMailToken, mailTokenOf } from './mail-token.ts';
import { resendConfirmation, activeUser } from '#contract/email.ts';
import { accountDraft, accountProblems, emptyAccount } from '#web/domain/auth/account-rules.ts';
import { EmailField } from '#web/domain/auth/account-fields.tsx';
import { SubmitButton } from '#web/domain/auth/submit-button.tsx';
import { useBrand } from '#web/platform/brand/brand-context.tsx';
import { useForm, withoutSpaces } from '#web/platform/form/use-form.ts';
import { useMailRequest } from '#web/domain/auth/use-mail-request.ts';
import { Problem } from '#web/ui/problem.tsx';
import { useSession } from '#web/platform/session/session.ts';
import { MailSent } from '#web/domain/auth/mail-sent.tsx';
import { Untranslated } from '#web/ui/untranslated.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { queryUrv } from '#contract/account.ts';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { waitMessage } from '#web/domain/auth/codes/use-code.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { NewPasswordForm, LinkGone } from './new-password-form.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** /resend-confirm: confirms the address of an email link, or sends that email again. */
export function ConfirmPage() {
  const token = mailTokenOf('confirm');
  const [gone, setGone] = useState(token === '');
  useEffect(() => {
    if (token === '') clearMailToken();
  }, [token]);
  const dropLink = () => {
    clearMailToken();
    setGone(true);
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>
          <Trans>Confirm your email</Trans>
        </h1>
        <p>
          <Trans>So receipts and password resets always reach you.</Trans>
        </p>
      </header>
      {gone ? (
        <LinkGone>
          <Trans>It was already used, has expired or was replaced by a newer one. We can send you another.</Trans>
        </LinkGone>
      ) : null}
      {token ? <ConfirmEmail token={token} onLinkExpired={dropLink} /> : <RequestConfirmation />}
      <p className={styles.other}>
        <Link to="/login">
          <Trans>Log in</Trans>
        </Link>
      </p>
    </div>
  );
}

/** The form for the address to confirm, then a text that is the same for every address. */
function RequestConfirmation() {
  const { form, mail } = useAskConfirmation();
  const { captcha, sent } = mail;
  if (sent) {
    const address = <Untranslated text={sent.email} />;
    return (
      <MailSent request={mail} onOther={mail.forget}>
        <Trans>If {address} has an account that isn’t confirmed yet, we’ve sent it an email.</Trans>
      </MailSent>
    );
  }
  return (
    <form className={styles.form} {...form.formProps} data-plain>
      <Problem>{form.summary}</Problem>
      <EmailField
        {...form.register('account', { setValueAs: withoutSpaces })}
        onPick={(address) => form.setValue('account', address)}
      />
      {captcha.view}
      <SubmitButton busy={form.isSubmitting}>
        <Trans>Email me</Trans>
      </SubmitButton>
    </form>
  );
}

/** A customer who is logged in by email need not type the address. */
function useAskConfirmation() {
  const { validRules } = useBrand().siteConfig;
  const user = useSession();
  const mail = useMailRequest(resendConfirmation);
  const account = user?.type === 'email' ? user.account : (accountDraft.get()?.account ?? '');
  const form = useForm({
    initial: { account },
    check: (values) => accountProblems('email', { ...emptyAccount, ...values }, validRules),
    submit: ({ account: email }) => mail.send(email),
  });
  return { form, mail };
}

interface ConfirmEmailProps {
  token: string;
  /** the link has expired */
  onLinkExpired: () => void;
}

/** Confirms on a tap. Opening the link changes nothing, because mail scanners open links, too. */
function ConfirmEmail({ token, onLinkExpired }: ConfirmEmailProps) {
  const { mutate, isPending, problem, reset } = useConfirmation(onLinkExpired);
  if (reset) return <FirstPassword {...reset} />;
  return (
    <div className={styles.form}>
      <Problem>{problem}</Problem>
      <Button size="lg" wide busy={isPending} onClick={() => mutate({ body: { token } })}>
        <Trans>Confirm my email</Trans>
      </Button>
    </div>
  );
}

interface FirstPasswordProps {
  readonly token: string;
  readonly email: string;
}

/**
 * After the first confirmation on a device without a session: the creator of the account may not be the owner of the
 * mailbox.
 */
function FirstPassword({ token, email }: FirstPasswordProps) {
  const [gone, setGone] = useState(false);
  if (gone) {
    return (
      <Link to="/forgot-password" className={buttonClass({ size: 'lg', wide: true })}>
        <Trans>Send a new link</Trans>
      </Link>
    );
  }
  return (
    <>
      <Alert tone="success" live="polite" title={<Trans>Your email is confirmed</Trans>}>
        <Trans>Now choose a password. To keep your account safe, your old password no longer works.</Trans>
      </Alert>
      <NewPasswordForm token={token} email={email} returnTo={undefined} onLinkExpired={() => setGone(true)} />
    </>
  );
}

function useConfirmation(onGone: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [reset, setReset] = useState<FirstPasswordProps>();
  const confirmation = useApiMutation(activeUser, {
    onSuccess: async ({ email, passwordToken }) => {
      if (passwordToken !== undefined) return setReset({ token: passwordToken, email });
      void refreshQueries(client, { queryKey: q(queryUrv).queryKey });
      await navigate({ to: '/notice', search: { type: 'activated' }, replace: true });
      return clearMailToken();
    },
    errors: { linkGone: onGone, activationFailed: onGone },
    message: waitMessage,
  });
  return { ...confirmation, reset };
}
