import { sessionKey } from '../storage/keys.ts';
import { whenIdle } from './busy.ts';
import { heldToken } from './session.ts';

/**
 * Reloads the page when another tab has logged in, out, or as somebody else (spec 4), but never while a payment is in
 * flight here: then as soon as it is over ([Note: Busy]). The answer stops listening.
 */
export function watchOtherTabs(reload: () => void = () => location.reload()): () => void {
  let takeBack: () => void = () => undefined;
  const onStorage = (event: StorageEvent) => {
    // A null key is `localStorage.clear()`.
    if (event.key !== null && event.key !== sessionKey.key) return;
    takeBack();
    takeBack = whenIdle(() => {
      if ((sessionKey.get()?.token ?? null) !== heldToken()) reload();
    });
  };
  window.addEventListener('storage', onStorage);
  return () => {
    takeBack();
    window.removeEventListener('storage', onStorage);
  };
}
