import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { bindEmailConfirmed } from '#contract/email.ts';
import { Problem } from '#web/ui/problem.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { clearMailToken } from './mail-token.ts';
import { useApiMutation } from '#web/platform/form/use-api-mutation.ts';

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
        <Trans>You can then log in with it, and your receipts go there.</Trans>
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
