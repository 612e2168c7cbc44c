import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { obtainResetPasswordEmail } from '#contract/email.ts';
import { callErrorOf, isRefused, type CallError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';
import { waitWords } from '#web/domain/auth/codes/wait-words.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LinkGone } from './link-gone.tsx';
import { clearMailToken } from './mail-token.ts';
import { NewPasswordForm } from './new-password-form.tsx';

interface ResetByMailProps {
  token: string;
  returnTo: string | undefined;
}

/** The form behind a reset link: the account, and its new password. */
export function ResetByMail({ token, returnTo }: ResetByMailProps) {
  const { email, error, gone, drop, retry } = useLink(token);
  if (gone) return <NewLink returnTo={returnTo} />;
  if (email) return <NewPasswordForm token={token} email={email} returnTo={returnTo} onGone={drop} />;
  if (error) return <LinkCheckFailed error={error} onRetry={retry} />;
  return <Skeleton lines={3} height={52} />;
}

/** The server's data about the link; after an error the token is cleared. */
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
  useEffect(() => {
    if (gone) clearMailToken();
  }, [gone]);
  return {
    email: data?.email,
    error: callErrorOf(error),
    gone,
    drop: () => setDropped(true),
    retry: () => void refetch(),
  };
}

function NewLink({ returnTo }: { returnTo: string | undefined }) {
  return (
    <>
      <LinkGone>
        <Trans>It was used already, is too old, or a newer one was sent.</Trans>
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
      {waitWords(error)?.(i18n) ?? wordsOf(i18n, error)}
    </Alert>
  );
}
