import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { offersByLink, restoreContact } from '#contract/settings.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { expireSession } from '#web/domain/auth/log-out.ts';
import { getSession } from '#web/platform/session/session.ts';
import { clearMailToken } from './mail-token.ts';
import { bindEmailConfirmed } from '#contract/email.ts';

/**
 * The target of an unsubscribe link. It stops offers on a tap, not on opening, because mail scanners open links, too;
 * offers can be turned on again.
 */
export function OffersPage({ token }: { token: string }) {
  const [state, setState] = useState<'asked' | 'out' | 'in'>('asked');
  const { mutate, isPending, problem } = useApiMutation(offersByLink, {
    onSuccess: (_result, { body }) => setState(body.subscribe ? 'in' : 'out'),
  });
  const action = (
    <Button
      size="lg"
      variant={state === 'out' ? 'secondary' : 'primary'}
      busy={isPending}
      onClick={() => mutate({ body: { token, subscribe: state === 'out' } })}
    >
      {state === 'out' ? <Trans>Send me offers again</Trans> : <Trans>Stop offers</Trans>}
    </Button>
  );
  return (
    <StatePage
      art={<StateArt kind={state === 'asked' ? 'notice' : 'succeeded'} />}
      title={titles[state]}
      action={action}
    >
      <p role="status">{state === 'asked' ? null : <OffersMessage out={state === 'out'} />}</p>
      {state === 'asked' ? (
        <p>
          <Trans>You’ll still get receipts and emails about your payments.</Trans>
        </p>
      ) : null}
      <Problem>{problem}</Problem>
    </StatePage>
  );
}

const titles = {
  asked: <Trans>No more offers by email?</Trans>,
  out: <Trans>You won’t get any more offers</Trans>,
  in: <Trans>Offers are back on</Trans>,
};

function OffersMessage({ out }: { out: boolean }) {
  return out ? (
    <Trans>
      From now on you’ll only get receipts and emails about your payments. You can change your mind at any time.
    </Trans>
  ) : (
    <Trans>Welcome back! Every email has an unsubscribe link.</Trans>
  );
}

/** Another person changed the login of the account: a tap undoes it, and opening the link does not. */
export function RestorePage({ token }: { token: string }) {
  const { mutate, isPending, problem } = useRestore();
  const action = (
    <Button size="lg" busy={isPending} onClick={() => mutate({ body: { token } })}>
      <Trans>Recover my account</Trans>
    </Button>
  );
  return (
    <StatePage art={<StateArt kind="notice" />} title={<Trans>Wasn’t this you?</Trans>} action={action}>
      <p>
        <Trans>
          If you didn’t change your email or number, tap below. We’ll undo the change, log out every device and email
          you a link to set a new password.
        </Trans>
      </p>
      <Problem>{problem}</Problem>
    </StatePage>
  );
}

function useRestore() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const end = async (notice: string) => {
    await navigate({ to: '/notice', search: { type: notice }, replace: true });
    clearMailToken();
  };
  return useApiMutation(restoreContact, {
    onSuccess: async () => {
      await end('restored');
      if (getSession()) expireSession(client);
    },
    // the link is used up, and the notice says so
    errors: { linkGone: () => end('linkGone'), accountInUse: () => end('notRestored') },
  });
}

/** Adds the address on a tap and not on opening, because mail scanners open links, too. */
export function BindEmailPage({ token }: { token: string }) {
  const { mutate, isPending, problem } = useBinding();
  const action = (
    <Button size="lg" busy={isPending} onClick={() => mutate({ body: { token } })}>
      <Trans>Add this email</Trans>
    </Button>
  );
  return (
    <StatePage art={<StateArt kind="notice" />} title={<Trans>Add this email to your account?</Trans>} action={action}>
      <p>
        <Trans>You’ll be able to log in with it, and we’ll send your receipts there.</Trans>
      </p>
      <Problem>{problem}</Problem>
    </StatePage>
  );
}

function useBinding() {
  const navigate = useNavigate();
  const end = async (notice: string) => {
    await navigate({ to: '/notice', search: { type: notice }, replace: true });
    clearMailToken();
  };
  return useApiMutation(bindEmailConfirmed, {
    onSuccess: () => end('emailBound'),
    // the link is used up, and the notice says so
    errors: { linkGone: () => end('linkGone'), emailBindingFailed: () => end('emailNotBound') },
  });
}
