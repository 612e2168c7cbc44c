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

/** The token of the link is sent once somebody has said "Continue", and forgotten as soon as it has no use left. */
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
 * Asks to be signed in as the one whom a link, a box or a provider named; `userOf` the answer is that one, if anybody.
 * Whoever was signed in before leaves first, with all that was theirs: answers in memory do not say whose they are. What
 * is still read for them is given up before, because the server ends their session before its answer is here.
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
