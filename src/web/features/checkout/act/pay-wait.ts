import { nextPollDelay } from '#web/domain/payments/poll-schedule.ts';

/** How long to wait before the next request after so many failures, in milliseconds. */
export function waitAfter(failures: number): number {
  const moment = { elapsed: 0, now: 0, expiresAt: null, errors: Math.max(0, failures - 1), chance: 0.5 };
  return nextPollDelay(moment) ?? 0;
}

/** What comes first: the end of `act`, or undefined when the customer stops waiting for it. */
export function unlessStopped<T>(act: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    else stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([act, stopped]);
}

/** Waits `ms`, or less when the network or the customer comes back. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      window.removeEventListener('pageshow', end);
      document.removeEventListener('visibilitychange', shown);
      resolve();
    };
    const shown = () => document.visibilityState === 'visible' && end();
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end);
    window.addEventListener('pageshow', end);
    document.addEventListener('visibilitychange', shown);
  });
}
