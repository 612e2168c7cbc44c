import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sso } from '../../../contract/sign-on.ts';
import { heldDeviceToken, completeSignIn } from '../../domain/auth/enter.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { call } from '../../platform/api/client.ts';
import { takeSecret } from '../../platform/entry/arrive.ts';
import type { SignOnLink } from '../../platform/entry/secrets.ts';
import type { Words } from '../../platform/form/words.ts';
import { endOfSignOn, ownedSignOn, type SignOnEnd, type SignOnNotice } from './sign-on-end.ts';
import type { UserInfo } from '../../../contract/user.ts';
import { logOut } from '../../domain/auth/leave.ts';
import { getSession } from '../../platform/session/session.ts';

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
      const body = { ...link, device: heldDeviceToken() };
      await signInAs(queryClient, await call(sso, { body }, { handledErrors: ownedSignOn }), 'sso');
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
    takeSecret('appToken');
    return end ? onForm(end.notice) : onEntered();
  };
  return { ...state, go: () => void go() };
}

/**
 * Signs in as the one whom a link, a box or a provider named. Whoever was signed in before leaves first, with all that
 * was theirs: answers in memory do not say whose they are.
 */
export async function signInAs(queryClient: QueryClient, user: UserInfo, by: 'sso' | 'google'): Promise<void> {
  const before = getSession();
  if (before && before.uid !== user.uid) await logOut(queryClient);
  completeSignIn(user, 'login', by);
}
