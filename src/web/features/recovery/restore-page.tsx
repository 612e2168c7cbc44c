import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { restoreContact } from '#contract/settings.ts';
import { expireSession } from '#web/domain/auth/log-out.ts';
import { getSession } from '#web/platform/session/session.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { clearMailToken } from './mail-token.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

/** Another person changed the login of the account: a tap undoes it, and opening the link does not. */
export function RestorePage({ token }: { token: string }) {
  const { mutate, isPending, problem } = useRestore();
  const action = (
    <Button size="lg" busy={isPending} onClick={() => mutate({ body: { token } })}>
      <Trans>Take my account back</Trans>
    </Button>
  );
  return (
    <StatePage art={<StateArt kind="notice" />} title={<Trans>Was it not you?</Trans>} action={action}>
      <p>
        <Trans>
          If you did not change your email or number yourself, tap below. Both are then as they were, every device is
          signed out, and an email brings you a link for a new password.
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
