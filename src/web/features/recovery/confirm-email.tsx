import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryUrv } from '#contract/account.ts';
import { activeUser } from '#contract/email.ts';
import styles from '#web/domain/auth/auth-form.module.css';
import { q, refreshQueries } from '#web/platform/api/query.ts';
import { waitWords } from '#web/domain/auth/codes/wait-words.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { clearMailToken } from './mail-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

interface ConfirmEmailProps {
  token: string;
  /** the link has expired */
  onGone: () => void;
}

/** Confirms on a tap. Opening the link changes nothing, because mail scanners open links, too. */
export function ConfirmEmail({ token, onGone }: ConfirmEmailProps) {
  const { mutate, isPending, problem, reset } = useConfirmation(onGone);
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
        <Trans>Now choose a password. To keep your account safe, the earlier password no longer works.</Trans>
      </Alert>
      <NewPasswordForm token={token} email={email} returnTo={undefined} onGone={() => setGone(true)} />
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
    message: waitWords,
  });
  return { ...confirmation, reset };
}
