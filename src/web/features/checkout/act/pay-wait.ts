import { nextPollDelay } from '#web/domain/payments/poll-schedule.ts';

/** The delay before the next request after so many failures, in milliseconds. */
export function waitAfter(failures: number): number {
  const moment = { elapsed: 0, now: 0, expiresAt: null, errors: Math.max(0, failures - 1), chance: 0.5 };
  return nextPollDelay(moment) ?? 0;
}

/** Resolves with `act`, or to undefined when the customer stops waiting. */
export function unlessStopped<T>(act: Promise<T>, stop: AbortSignal): Promise<T | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    else stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([act, stopped]);
}

/** Waits `ms`, or less if the network or the page becomes available again. */
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
