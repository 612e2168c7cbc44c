import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { beginPasskeyLogin, passkeyLogin } from '#contract/passkeys.ts';
import { completeSignIn, storedDeviceToken } from './enter.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { call } from '#web/platform/api/client.ts';
import { ownedBy, refusalOf } from '#web/platform/form/refusal.ts';
import { useTap } from '#web/platform/form/use-tap.ts';
import { say, type Words } from '#web/platform/form/words.ts';
import { serverNow } from '#web/platform/session/server-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { KeyRound } from '#web/ui/icon.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { signWithPasskey, supportsPasskeys } from './web-authn.ts';

/**
 * Signing in by a passkey: by a tap here, or beside the field of the account, where the browser lists them as soon as
 * this is on the page. The two take turns, because a browser asks for one thing at a time.
 */
export function PasskeyLogin() {
  return supportsPasskeys() ? <Ways /> : null;
}

function Ways() {
  const { i18n } = useLingui();
  const [unsought, setUnsought] = useState<Words>();
  const [beside, setBeside] = useState(true);
  useOffer(beside, (words) => setUnsought(() => words));
  const leaving = useRef(new AbortController());
  const { tap, busy, problem } = useTap(async () => {
    setUnsought(undefined);
    setBeside(false);
    try {
      const { signal } = leaving.current;
      const asked = await call(beginPasskeyLogin, { body: {} }, { handledErrors: owned });
      const signed = await signWithPasskey(asked, { signal, beside: false });
      return signed === 'givenUp' ? undefined : await enter(signed);
    } catch (error) {
      return wordsFor(error);
    } finally {
      setBeside(true);
    }
  });
  return (
    <>
      <Problem>{problem ?? unsought?.(i18n)}</Problem>
      <Button variant="secondary" wide busy={busy} onClick={tap}>
        <KeyRound aria-hidden />
        <Trans>Log in with a passkey</Trans>
      </Button>
    </>
  );
}

const owned = ownedBy([...beginPasskeyLogin.errors, ...passkeyLogin.errors]);

/** Answers undefined when the customer is in. */
async function enter(signed: Exclude<Awaited<ReturnType<typeof signWithPasskey>>, string>): Promise<Words | undefined> {
  try {
    const body = { ...signed, device: storedDeviceToken() };
    completeSignIn(await call(passkeyLogin, { body }, { handledErrors: owned }), 'login', 'passkey');
    return undefined;
  } catch (error) {
    return wordsFor(error);
  }
}

const unknownPasskey = say(
  msg`This passkey opens no account here. Log in another way; in your account you can add a new one.`,
);
const tooLate = say(msg`That took too long. Please try again.`);
const words = ({ code }: ApiError): Words | undefined =>
  code === 3001 ? unknownPasskey : code === -3034 ? tooLate : undefined;
const wordsFor = (error: unknown) => refusalOf(error, { fields: {}, owned, words }).summary;

/** Offers passkeys beside the field of the account for as long as `on`, with a new challenge before one runs out. */
function useOffer(on: boolean, onProblem: (words: Words | undefined) => void): void {
  const tell = useRef(onProblem);
  useEffect(() => {
    tell.current = onProblem;
  });
  useEffect(() => {
    if (!on) return;
    const stop = new AbortController();
    void offer(stop.signal, (problem) => tell.current(problem));
    return () => stop.abort();
  }, [on]);
}

/** Before the challenge runs out, for the time that a fingerprint takes. */
const spareMs = 60_000;

async function offer(stop: AbortSignal, tell: (words: Words | undefined) => void): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  while (!stop.aborted) {
    const asked = await call(beginPasskeyLogin, { body: {} }, { quiet: true }).catch(unlessFault);
    if (!asked || stop.aborted) return;
    const late = new AbortController();
    const end = () => late.abort();
    stop.addEventListener('abort', end);
    const timer = setTimeout(end, asked.expiresAt - serverNow() - spareMs);
    const signed = await signWithPasskey(asked, { signal: late.signal, beside: true });
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
    // whoever has tapped the button meanwhile signs in by that
    if (stop.aborted) return;
    if (signed !== 'givenUp') tell(await enter(signed));
    else if (!late.signal.aborted) return;
    else await whenVisible();
  }
}

/** The form is there for whoever has no network; a fault is none of it. */
function unlessFault(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

/** A tab that nobody looks at asks for nothing. */
function whenVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener('visibilitychange', () => resolve(), { once: true }));
}
