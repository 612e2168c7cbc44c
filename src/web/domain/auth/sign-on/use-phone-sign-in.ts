import { useCallback, useEffect, useRef, useState } from 'react';
import { completeSignIn } from '../enter.ts';
import { requestGrantCodes, requestGrantSession } from '#web/platform/api/device-grant.ts';
import { followGrant, nothingShown, type Shown } from './follow-grant.ts';

/** Polls for a phone while mounted, and logs in the approved customer; the page then continues by itself. */
export function usePhoneSignIn(): Shown & { readonly again: () => void } {
  const [shown, show] = useState(nothingShown);
  const leave = useRef<() => void>(undefined);
  const again = useCallback(() => {
    leave.current?.();
    const left = new AbortController();
    leave.current = () => left.abort();
    const alive = () => !left.signal.aborted;
    const wait = (ms: number) => waitUntilSeen(ms, left.signal);
    void followGrant({ requestGrantCodes, requestGrantSession, wait, show, alive }).then((user) => {
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
