import { Trans } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import type { ErrorName } from '#contract/error-codes.ts';
import { bindEmailConfirmed } from '#contract/email.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import type { Words } from '#web/platform/form/words.ts';
import { Problem } from '#web/ui/problem.tsx';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { clearMailToken } from './mail-token.ts';

const owned = ownedBy(bindEmailConfirmed.errors);
/** refusals that are the end of this link, and the notice that says so */
const ends: Partial<Record<ErrorName, string>> = { linkGone: 'linkGone', emailBindingFailed: 'emailNotBound' };

/** Binds on the tap and not before, because mail scanners open links, too ([Note: Mail links]). */
export function BindEmailPage({ token }: { token: string }) {
  const { tap, busy, problem } = useBinding(token);
  const action = (
    <Button size="lg" busy={busy} onClick={tap}>
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

function useBinding(token: string) {
  const navigate = useNavigate();
  return useTap(async (): Promise<Words | undefined> => {
    const notice = await bind(token);
    if (typeof notice === 'function') return notice;
    await navigate({ to: '/notice', search: { type: notice }, replace: true });
    clearMailToken();
    return undefined;
  });
}

/** The notice that tells the outcome, or words when it can be tried again. */
async function bind(token: string): Promise<string | Words | undefined> {
  try {
    await call(bindEmailConfirmed, { body: { token } }, { handledErrors: owned });
    return 'emailBound';
  } catch (error) {
    const end = error instanceof ApiError && error.reason !== undefined ? ends[error.reason] : undefined;
    return end ?? refusalOf(error, { fields: {}, owned }).summary;
  }
}
