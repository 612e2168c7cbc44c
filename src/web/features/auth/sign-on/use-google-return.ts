import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { googleLogin } from '#contract/sign-on.ts';
import { storedDeviceToken } from '#web/domain/auth/enter.ts';
import { setGoogleTicket, consumeGoogleStart } from '#web/domain/auth/google-state.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { consumeSecret } from '#web/platform/entry/arrive.ts';
import type { GoogleStart } from '#web/platform/session/storage/identity-keys.ts';
import { signInAs } from './use-sign-on.ts';
import type { SignOnNotice } from './sign-on-end.ts';
import { msg } from '@lingui/core/macro';
import type { ProviderAnswer } from '#web/platform/entry/secrets.ts';
import { say } from '#web/platform/form/words.ts';
import { wordsOf } from '#web/platform/api/error-words.ts';

const tryAgain: SignOnNotice = {
  tone: 'danger',
  words: say(msg`Signing in with Google did not work. Please try again.`),
};
const changedMind: SignOnNotice = {
  tone: 'info',
  words: say(msg`You did not sign in with Google. You can try again, or use another way.`),
};

/**
 * The problem of the provider's response before anything is sent; undefined if there is none. If this tab started no
 * login with the same `state`, another party did (RFC 6749, 10.12).
 */
export function problemOfAnswer({ code, error }: ProviderAnswer, started: boolean): SignOnNotice | undefined {
  if (!started) return tryAgain;
  if (error === 'access_denied') return changedMind;
  return code === undefined ? tryAgain : undefined;
}

/** The message above the form after the server refused the response. Its code is valid once, so there is no retry. */
export function noticeOfRefusal(error: CallError): SignOnNotice {
  if (error.kind !== 'refused' || error.is('loginFailedRefresh')) return tryAgain;
  return { tone: 'danger', words: (i18n) => wordsOf(i18n, error) };
}

type GoogleEnd =
  | { readonly kind: 'entered' | 'signup'; readonly returnTo: string | undefined }
  | { readonly kind: 'form'; readonly returnTo?: string | undefined; readonly notice?: SignOnNotice | undefined };

interface GoogleReturnOptions {
  readonly onEntered: (returnTo: string | undefined) => void;
  readonly onForm: (notice?: SignOnNotice) => void;
}

/** Completes a login with Google: once, because neither the code nor the stored start is valid twice. */
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
      // The provider redirected to the bare page; the stored start restores the target.
      const to = end.kind === 'signup' ? '/register' : '/login';
      void navigate({ to, search: { return: end.returnTo }, replace: true });
      if (end.kind === 'form') latest.current.onForm(end.notice);
    });
  }, [navigate, queryClient]);
}

async function endOfGoogle(queryClient: QueryClient): Promise<GoogleEnd> {
  const answer = consumeSecret('google');
  if (!answer) return { kind: 'form' };
  const start = consumeGoogleStart(answer.state);
  const problem = problemOfAnswer(answer, start !== undefined);
  if (problem || !start || answer.code === undefined)
    return { kind: 'form', returnTo: start?.returnTo, notice: problem };
  const { result, error } = await send(queryClient, start, answer.code);
  if (error) return { kind: 'form', returnTo: start.returnTo, notice: noticeOfRefusal(error) };
  if (result.outcome === 'signedIn') return { kind: 'entered', returnTo: start.returnTo };
  const { ticket, email, name } = result;
  setGoogleTicket({ ticket, email, name });
  return { kind: 'signup', returnTo: start.returnTo };
}

function send(queryClient: QueryClient, { codeVerifier, nonce }: GoogleStart, code: string) {
  const body = { code, codeVerifier, nonce, device: storedDeviceToken() };
  return signInAs(
    queryClient,
    'google',
    () => attempt(googleLogin, { body }),
    ({ result }) => (result?.outcome === 'signedIn' ? result.user : null),
  );
}
