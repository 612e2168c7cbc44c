import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sso } from '#contract/sign-on.ts';
import { storedDeviceToken, completeSignIn } from '#web/domain/auth/enter.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { consumeSecret } from '#web/platform/entry/arrive.ts';
import type { SignOnLink } from '#web/platform/entry/secrets.ts';
import type { Words } from '#web/platform/form/words.ts';
import { endOfSignOn, ownedSignOn, type SignOnEnd, type SignOnNotice } from './sign-on-end.ts';
import type { UserInfo } from '#contract/user.ts';
import { logOut } from '#web/domain/auth/leave.ts';
import { personalQueries } from '#web/platform/api/query.ts';
import { replacingSession } from '#web/platform/session/replacing.ts';
import { getSession } from '#web/platform/session/session.ts';

interface SignOnOptions {
  readonly link: SignOnLink;
  readonly onEntered: () => void;
  readonly onForm: (notice?: SignOnNotice) => void;
}

/** The token of the link is sent once somebody has said "Continue", and forgotten as soon as it has no use left. */
export function useSignOn({ link, onEntered, onForm }: SignOnOptions) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<{ busy: boolean; problem?: Words }>({ busy: false });
  const signOn = async (): Promise<SignOnEnd | undefined> => {
    try {
      const body = { ...link, device: storedDeviceToken() };
      await signInAs(
        queryClient,
        'sso',
        () => call(sso, { body }, { handledErrors: ownedSignOn }),
        (user) => user,
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return endOfSignOn(error);
    }
  };
  const go = async () => {
    setState({ busy: true });
    const end = await signOn();
    if (end?.kind === 'again') return setState({ busy: false, problem: end.words });
    consumeSecret('appToken');
    return end ? onForm(end.notice) : onEntered();
  };
  return { ...state, go: () => void go() };
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
