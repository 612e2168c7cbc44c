import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { beginPasskeyLogin, passkeyLogin } from '#contract/passkeys.ts';
import { completeSignIn, storedDeviceToken } from './complete-sign-in.ts';
import type { CallError } from '#web/platform/api/api-error.ts';
import { attempt } from '#web/platform/api/client.ts';
import { localizedMessage, type LocalizedMessage } from '#web/platform/form/localized-message.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { KeyRound } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { signWithPasskey, supportsPasskeys } from './web-authn.ts';
import { errorMessage, isShownByCaller, useApiMutation, useAction } from '#web/platform/form/use-api-mutation.ts';

/**
 * Login with a passkey: by this button, or by autofill at the account field, where the browser lists passkeys while
 * this is mounted. Only one of them runs at a time, because a browser allows one request at a time.
 */
export function PasskeyLogin() {
  return supportsPasskeys() ? <PasskeyMethods /> : null;
}

function PasskeyMethods() {
  const { i18n } = useLingui();
  const [unsought, setUnsought] = useState<LocalizedMessage>();
  const [beside, setBeside] = useState(true);
  useOffer(beside, (words) => setUnsought(() => words));
  const begin = useApiMutation(beginPasskeyLogin, {
    onSuccess: async (asked) => {
      const signed = await signWithPasskey(asked, { beside: false });
      return signed === 'givenUp' ? undefined : logInBy(signed);
    },
  });
  const { mutate, isPending, problem } = useAction(async () => {
    setUnsought(undefined);
    setBeside(false);
    const { refusal } = await begin.send({ body: {} }).finally(() => setBeside(true));
    return { refusal };
  });
  return (
    <>
      <Problem>{problem ?? unsought?.(i18n)}</Problem>
      <Button variant="secondary" wide busy={isPending} onClick={mutate}>
        <KeyRound aria-hidden />
        <Trans>Log in with a passkey</Trans>
      </Button>
    </>
  );
}

/** Resolves to the error message; undefined when the customer is logged in. */
async function logInBy(
  signed: Exclude<Awaited<ReturnType<typeof signWithPasskey>>, string>,
): Promise<LocalizedMessage | undefined> {
  const { result, error } = await attempt(passkeyLogin, { body: { ...signed, device: storedDeviceToken() } });
  if (result) completeSignIn(result, 'login', 'passkey');
  return error && messageOf(error);
}

const unknownPasskey = localizedMessage(
  msg`This passkey isn’t linked to an account here. Log in another way; you can add a new passkey in your account.`,
);
const tooLate = localizedMessage(msg`That took too long. Please try again.`);

function messageOf(error: CallError): LocalizedMessage | undefined {
  if (error.is('invalidCredentials')) return unknownPasskey;
  if (error.is('requestExpired')) return tooLate;
  return isShownByCaller(passkeyLogin, error) ? errorMessage(error) : undefined;
}

/** Offers passkeys by autofill while `on`, and renews the challenge before it expires. */
function useOffer(on: boolean, onProblem: (words: LocalizedMessage | undefined) => void): void {
  const tell = useRef(onProblem);
  useEffect(() => {
    tell.current = onProblem;
  });
  useEffect(() => {
    if (!on) return;
    const stop = new AbortController();
    void offerByAutofill(stop.signal, (problem) => tell.current(problem));
    return () => stop.abort();
  }, [on]);
}

/** Time for a fingerprint before the challenge expires, in milliseconds. */
const spareMs = 60_000;

async function offerByAutofill(stop: AbortSignal, tell: (words: LocalizedMessage | undefined) => void): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  while (!stop.aborted) {
    // the form works without a network, too
    const { result: asked } = await attempt(beginPasskeyLogin, { body: {} }, { quiet: true });
    if (!asked || stop.aborted) return;
    const late = new AbortController();
    const end = () => late.abort();
    stop.addEventListener('abort', end);
    const timer = setTimeout(end, asked.expiresAt - serverNow() - spareMs);
    const signed = await signWithPasskey(asked, { signal: late.signal, beside: true });
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
    // a tap on the button takes over
    if (stop.aborted) return;
    if (signed !== 'givenUp') tell(await logInBy(signed));
    else if (!late.signal.aborted) return;
    else await whenVisible();
  }
}

/** A hidden tab requests no challenge. */
function whenVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('visibilitychange', () => resolve(), { once: true }));
}
