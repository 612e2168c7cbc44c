import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sso } from '../../../contract/sign-on.ts';
import { heldDeviceToken } from '../../account-form/device-token.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { takeSecret } from '../../entry/arrive.ts';
import type { SignOnLink } from '../../entry/secrets.ts';
import type { Words } from '../../form/words.ts';
import { enterAs } from './enter-as.ts';
import { endOfSignOn, ownedSignOn, type SignOnEnd, type SignOnNotice } from './sign-on-end.ts';

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
      await enterAs(queryClient, await call(sso, { body }, { owns: ownedSignOn }), 'sso');
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
