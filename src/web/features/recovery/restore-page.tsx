import { Trans } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ErrorName } from '#contract/error-codes.ts';
import { restoreContact } from '#contract/settings.ts';
import { expireSession } from '#web/domain/auth/leave.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import type { Words } from '#web/platform/form/words.ts';
import { getSession } from '#web/platform/session/session.ts';
import { StateArt } from '#web/ui/art/state-art.tsx';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { StatePage } from '#web/ui/state-page.tsx';
import { clearMailToken } from './mail-token.ts';

const owned = ownedBy(restoreContact.errors);
/** refusals that are the end of this link, and the notice that says so */
const ends: Partial<Record<ErrorName, string>> = { linkGone: 'linkGone', accountInUse: 'notRestored' };

/** Somebody else has changed how one signs in: the tap, and nothing before it, puts it back ([Note: Mail links]). */
export function RestorePage({ token }: { token: string }) {
  const { tap, busy, problem } = useRestore(token);
  const action = (
    <Button size="lg" busy={busy} onClick={tap}>
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

function useRestore(token: string) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useTap(async (): Promise<Words | undefined> => {
    const notice = await restore(token);
    if (typeof notice !== 'string') return notice;
    await navigate({ to: '/notice', search: { type: notice }, replace: true });
    clearMailToken();
    if (notice === 'restored' && getSession()) expireSession(client);
    return undefined;
  });
}

/** The notice that tells the outcome, or words when it can be tried again. */
async function restore(token: string): Promise<string | Words | undefined> {
  try {
    await call(restoreContact, { body: { token } }, { handledErrors: owned });
    return 'restored';
  } catch (error) {
    const end = error instanceof ApiError && error.reason !== undefined ? ends[error.reason] : undefined;
    return end ?? refusalOf(error, { fields: {}, owned }).summary;
  }
}
