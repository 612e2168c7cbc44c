import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useCallback, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ScanCode, ScanPanel } from '#web/ui/scan-panel.tsx';
import styles from './phone-sign-in.module.css';
import type { Elements } from '#web/ui/elements.ts';
import { completeSignIn } from '../complete-sign-in.ts';
import {
  requestGrantCodes,
  requestGrantSession,
  type GrantAnswer,
  type GrantCodes,
} from '#web/platform/api/device-grant.ts';
import type { UserInfo } from '#contract/user.ts';

/** Beside the login or sign-up form of a TV: both methods stay available. A phone can also create an account. */
export function PhoneSignInBeside({ isSignup }: { isSignup: boolean }) {
  const { t } = useLingui();
  const { again, ...shown } = usePhoneSignIn();
  useEffect(() => {
    const main = document.querySelector('main');
    main?.setAttribute('data-beside', '');
    return () => main?.removeAttribute('data-beside');
  }, []);
  return (
    <section className={styles.beside} aria-labelledby="phone-sign-in">
      <h2 className={styles.title} id="phone-sign-in">
        {isSignup ? <Trans>Continue on your phone</Trans> : <Trans>Log in with your phone</Trans>}
      </h2>
      {shown.refused ? null : (
        <ScanCode text={shown.codes?.verification_uri_complete} label={t`Scan to log in to this TV with your phone`} />
      )}
      <SignInState shown={shown} onAgain={again} />
    </section>
  );
}

/** The same as a page of its own, with its purpose above and the login form below. */
export function PhoneSignInPanel({ title, children }: { title: Elements; children: Elements }) {
  const { t } = useLingui();
  const { again, ...shown } = usePhoneSignIn();
  return (
    <ScanPanel text={shown.codes?.verification_uri_complete} label={t`Scan to log in to this TV with your phone`}>
      {title}
      <p>
        <Trans>
          Point your phone’s camera at the code and confirm on the phone. This page then continues automatically.
        </Trans>
      </p>
      <SignInState shown={shown} onAgain={again} />
      {children}
    </ScanPanel>
  );
}

/** The code as text, for comparing or typing, and errors. */
function SignInState({ shown: { codes, lost, refused }, onAgain }: { shown: GrantView; onAgain: () => void }) {
  return (
    <>
      {codes ? <TypedCode code={codes.user_code} address={codes.verification_uri} /> : null}
      <p className={styles.state} role="status">
        {lost ? <Trans>You’re offline. This continues as soon as you’re back online.</Trans> : null}
        {refused ? <Trans>The login was declined on the phone.</Trans> : null}
      </p>
      {refused ? (
        <Button variant="secondary" onClick={onAgain}>
          <Trans>Show a new code</Trans>
        </Button>
      ) : null}
    </>
  );
}

function TypedCode({ code, address }: { code: string; address: string }) {
  const place = address.replace(/^https?:\/\//, '');
  return (
    <p className={styles.typed}>
      <Trans>
        Or go to {place} and enter <strong className={`num ${styles.letters}`}>{code}</strong>
      </Trans>
    </p>
  );
}

/** Polls for a phone while mounted, and logs in the approved customer; the page then continues by itself. */
function usePhoneSignIn(): GrantView & { readonly again: () => void } {
  const [shown, show] = useState(emptyGrantView);
  const leave = useRef<() => void>(undefined);
  const again = useCallback(() => {
    leave.current?.();
    const left = new AbortController();
    leave.current = () => left.abort();
    const isMounted = () => !left.signal.aborted;
    const wait = (ms: number) => waitUntilSeen(ms, left.signal);
    void followGrant({ requestGrantCodes, requestGrantSession, wait, show, isMounted }).then((user) => {
      if (user) completeSignIn(user, 'login', 'device');
    });
  }, []);
  useEffect(() => {
    again();
    return () => leave.current?.();
  }, [again]);
  return { ...shown, again };
}

/**
 * Resolves after `ms` and, if the page is hidden then, when it is visible again, so that a hidden TV does not poll.
 * Resolves at once when aborted.
 */
async function waitUntilSeen(ms: number, left: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    left.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  while (document.hidden && !left.aborted) {
    await new Promise<void>((resolve) => {
      document.addEventListener('visibilitychange', () => resolve(), { once: true });
      left.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/** What the TV shows while it waits for a phone. */
export interface GrantView {
  /** the codes on the screen; undefined before the first, and after a refusal */
  readonly codes: GrantCodes | undefined;
  /** the last request did not reach the server; the code on the screen may still be valid */
  readonly lost: boolean;
  /** the phone refused */
  readonly refused: boolean;
}

const emptyGrantView: GrantView = { codes: undefined, lost: false, refused: false };

interface GrantWire {
  readonly requestGrantCodes: () => Promise<GrantCodes | undefined>;
  readonly requestGrantSession: (deviceCode: string) => Promise<GrantAnswer>;
  /** resolves after so many milliseconds, and not before the page is visible */
  readonly wait: (ms: number) => Promise<void>;
  readonly show: (shown: GrantView) => void;
  /** false once the component is unmounted */
  readonly isMounted: () => boolean;
}

const secondMs = 1000;
/** `slow_down` lengthens the interval by five seconds permanently (RFC 8628, 3.5). */
const slowerMs = 5 * secondMs;
const longestMs = 60 * secondMs;

/** Doubles the interval after each consecutive failure (RFC 8628, 3.5, on timeouts). */
const backedOff = (ms: number, failures: number) => Math.min(longestMs, ms * 2 ** Math.min(failures, 4));

/**
 * The TV's side of the device grant (RFC 8628): shows a code, polls no faster than allowed, and requests a new code
 * when one expires. Resolves to the customer that the phone approved; undefined after a refusal or unmount. A lost
 * connection ends nothing.
 */
export async function followGrant(wire: GrantWire): Promise<UserInfo | undefined> {
  let failures = 0;
  while (wire.isMounted()) {
    const codes = await wire.requestGrantCodes();
    if (!wire.isMounted()) return undefined;
    if (!codes) {
      wire.show({ ...emptyGrantView, lost: true });
      await wire.wait(backedOff(5 * secondMs, failures));
      failures += 1;
      continue;
    }
    failures = 0;
    const end = await followCode(codes, wire);
    if (end !== 'ended') return end;
  }
  return undefined;
}

/** Follows one code until it is approved, refused or expired. */
async function followCode(codes: GrantCodes, wire: GrantWire): Promise<UserInfo | 'ended' | undefined> {
  let intervalMs = codes.interval * secondMs;
  let failures = 0;
  wire.show({ codes, lost: false, refused: false });
  for (;;) {
    await wire.wait(backedOff(intervalMs, failures));
    if (!wire.isMounted()) return undefined;
    const answer = await wire.requestGrantSession(codes.device_code);
    if (!wire.isMounted()) return undefined;
    if (answer.kind === 'granted') return answer.user;
    const wasLost = failures > 0;
    failures = answer.kind === 'lost' ? failures + 1 : 0;
    if (answer.kind === 'lost' || wasLost) wire.show({ codes, lost: answer.kind === 'lost', refused: false });
    if (answer.kind === 'lost') continue;
    if (answer.error === 'slow_down') intervalMs += slowerMs;
    else if (answer.error === 'access_denied') {
      wire.show({ ...emptyGrantView, refused: true });
      return undefined;
    } else if (answer.error !== 'authorization_pending') return 'ended';
  }
}
