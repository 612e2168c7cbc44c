import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { googleLogin } from '../../../contract/sign-on.ts';
import { heldDeviceToken } from '../../account-form/device-token.ts';
import { setGoogleTicket } from '../../account-form/google-ticket.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { takeSecret } from '../../entry/arrive.ts';
import { ownedBy } from '../../form/refusal.ts';
import { takeGoogleStart } from '../../identity/google-start.ts';
import type { GoogleStart } from '../../storage/identity-keys.ts';
import { enterAs } from './enter-as.ts';
import { noticeOfRefusal, problemOfAnswer } from './google-end.ts';
import type { SignOnNotice } from './sign-on-end.ts';

const owned = ownedBy(googleLogin.errors);

type GoogleEnd =
  | { readonly kind: 'entered' | 'signup'; readonly returnTo: string | undefined }
  | { readonly kind: 'form'; readonly returnTo?: string | undefined; readonly notice?: SignOnNotice | undefined };

interface GoogleReturnOptions {
  readonly onEntered: (returnTo: string | undefined) => void;
  readonly onForm: (notice?: SignOnNotice) => void;
}

/** Ends what "Continue with Google" began: once, because neither the code nor what was started works twice. */
export function useGoogleReturn(options: GoogleReturnOptions): void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const done = useRef(false);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (done.current) return;
    done.current = true;
    void endOfGoogle(queryClient).then((end) => {
      if (end.kind === 'entered') return latest.current.onEntered(end.returnTo);
      // The provider brought the browser back to the bare page; where it was to lead is not lost by that.
      const to = end.kind === 'signup' ? '/register' : '/login';
      void navigate({ to, search: { return: end.returnTo }, replace: true });
      if (end.kind === 'form') latest.current.onForm(end.notice);
    });
  }, [navigate, queryClient]);
}

async function endOfGoogle(queryClient: QueryClient): Promise<GoogleEnd> {
  const answer = takeSecret('google');
  if (!answer) return { kind: 'form' };
  const start = takeGoogleStart(answer.state);
  const problem = problemOfAnswer(answer, start !== undefined);
  if (problem || !start || answer.code === undefined)
    return { kind: 'form', returnTo: start?.returnTo, notice: problem };
  try {
    return await send(queryClient, start, answer.code);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'form', returnTo: start.returnTo, notice: noticeOfRefusal(error) };
  }
}

async function send(queryClient: QueryClient, start: GoogleStart, code: string): Promise<GoogleEnd> {
  const { codeVerifier, nonce, returnTo } = start;
  const body = { code, codeVerifier, nonce, device: heldDeviceToken() };
  const result = await call(googleLogin, { body }, { owns: owned });
  if (result.outcome === 'signedIn') {
    await enterAs(queryClient, result.user, 'google');
    return { kind: 'entered', returnTo };
  }
  const { ticket, email, name } = result;
  setGoogleTicket({ ticket, email, name });
  return { kind: 'signup', returnTo };
}
