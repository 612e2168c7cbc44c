import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { sso } from '#contract/sign-on.ts';
import { storedDeviceToken, completeSignIn } from '#web/domain/auth/enter.ts';
import { attempt } from '#web/platform/api/client.ts';
import { consumeSecret } from '#web/platform/entry/arrive.ts';
import type { SignOnLink } from '#web/platform/entry/secrets.ts';
import { endOfSignOn, ownedSignOn, type SignOnNotice } from './sign-on-end.ts';
import type { UserInfo } from '#contract/user.ts';
import { logOut } from '#web/domain/auth/leave.ts';
import { personalQueries } from '#web/platform/api/query.ts';
import { replacingSession } from '#web/platform/session/replacing.ts';
import { getSession } from '#web/platform/session/session.ts';
import { useAction } from '#web/platform/form/use-action.ts';

interface SignOnOptions {
  readonly link: SignOnLink;
  readonly onEntered: () => void;
  readonly onForm: (notice?: SignOnNotice) => void;
}

/** Sends the token of the link after the customer confirmed, and clears it once it is useless. */
export function useSignOn({ link, onEntered, onForm }: SignOnOptions) {
  const queryClient = useQueryClient();
  const { mutate, isPending, problem } = useAction(async () => {
    const body = { ...link, device: storedDeviceToken() };
    const { error } = await signInAs(
      queryClient,
      'sso',
      () => attempt(sso, { body }, { callerShows: ownedSignOn }),
      ({ result }) => result ?? null,
    );
    const end = error && endOfSignOn(error);
    if (end?.kind === 'again') return { refusal: { summary: end.words } };
    consumeSecret('appToken');
    if (end) onForm(end.notice);
    else onEntered();
    return {};
  });
  return { isPending, problem, go: mutate };
}

/**
 * Logs in the account that a link, TV device or provider named; `userOf` extracts it from the response. The previous
 * customer's data is cleared before: cached responses do not contain their owner. Their reads in progress are
 * cancelled, because the server ends the session before its response arrives.
 */
export async function signInAs<T>(
  queryClient: QueryClient,
  by: 'sso' | 'google',
  ask: () => Promise<T>,
  userOf: (answer: T) => UserInfo | null,
): Promise<T> {
  await queryClient.cancelQueries(personalQueries);
  return replacingSession(async () => {
    const answer = await ask();
    const user = userOf(answer);
    if (!user) return answer;
    const before = getSession();
    if (before && before.uid !== user.uid) await logOut(queryClient);
    completeSignIn(user, 'login', by);
    return answer;
  });
}
