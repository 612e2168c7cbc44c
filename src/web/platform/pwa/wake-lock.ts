import { useEffect } from 'react';

/** Not in every browser; TypeScript's DOM says it is. */
type Waking = Partial<Pick<Navigator, 'wakeLock'>>;

/**
 * Keeps the screen on until the answer is called (W3C Screen Wake Lock). The browser takes the lock back whenever the page
 * is hidden, so it is taken again when the page returns. Where it is missing or refused, because the battery is low, say,
 * the screen goes dark as it always does.
 */
export function holdWakeLock(): () => void {
  const { wakeLock }: Waking = navigator;
  if (!wakeLock) return () => undefined;
  let held: WakeLockSentinel | undefined;
  let asking = false;
  let over = false;
  const drop = (lock: WakeLockSentinel | undefined) => {
    lock?.release().catch(onlyRefusals);
  };
  const take = () => {
    if (over || asking || document.visibilityState !== 'visible' || held?.released === false) return;
    asking = true;
    wakeLock
      .request('screen')
      .then((lock) => (over ? drop(lock) : (held = lock)))
      .catch(onlyRefusals)
      .finally(() => (asking = false));
  };
  document.addEventListener('visibilitychange', take);
  take();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', take);
    drop(held);
  };
}

function onlyRefusals(error: unknown): void {
  if (!(error instanceof DOMException)) throw error;
}

/** Keeps the screen on while the component is there and something waits. */
export function useWakeLock(waits: boolean): void {
  useEffect(() => (waits ? holdWakeLock() : undefined), [waits]);
}
