import { useEffect } from 'react';

/** Missing in some browsers, although TypeScript's DOM types declare it. */
type Waking = Partial<Pick<Navigator, 'wakeLock'>>;

/**
 * Keeps the screen on until the returned function is called (W3C Screen Wake Lock). The browser releases the lock
 * whenever the page is hidden, so it is requested again when the page is visible. Where the lock is missing or refused
 * (low battery), the screen turns off as usual.
 */
export function holdWakeLock(): () => void {
  const { wakeLock }: Waking = navigator;
  if (!wakeLock) return () => undefined;
  let current: WakeLockSentinel | undefined;
  let isRequesting = false;
  let over = false;
  const release = (lock: WakeLockSentinel | undefined) => {
    lock?.release().catch(onlyRefusals);
  };
  const acquire = () => {
    if (over || isRequesting || document.visibilityState !== 'visible' || current?.released === false) return;
    isRequesting = true;
    wakeLock
      .request('screen')
      .then((lock) => (over ? release(lock) : (current = lock)))
      .catch(onlyRefusals)
      .finally(() => (isRequesting = false));
  };
  document.addEventListener('visibilitychange', acquire);
  acquire();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', acquire);
    release(current);
  };
}

function onlyRefusals(error: unknown): void {
  if (!(error instanceof DOMException)) throw error;
}

/** Keeps the screen on while the component is mounted and `waits` is true. */
export function useWakeLock(waits: boolean): void {
  useEffect(() => (waits ? holdWakeLock() : undefined), [waits]);
}
