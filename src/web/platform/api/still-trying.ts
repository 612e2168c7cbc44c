import { msg } from '@lingui/core/macro';
import { activeI18n } from '#web/platform/i18n/active.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { showToast } from '#web/ui/toast-store.ts';

/** After how long, in milliseconds, somebody who waits for an act hears that it is still under way. */
export const stillTryingMs = 5000;

/**
 * Acts that may be left without harm: if one arrives all the same, a session is begun that nobody uses. Their names,
 * because the endpoints would bring the schemas of signing in to every page. Paying has its own way ([Note: The pay act]).
 */
const safeToStop: readonly string[] = ['login', 'codeLogin'];

export const isSafeToStop = (name: string): boolean => safeToStop.includes(name);

/**
 * Waits for an act that may be stopped, and says so when it takes long. The words are on the phone where the worker is;
 * where they cannot come, the button goes on turning as it does in the first seconds.
 */
export async function stoppable<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const words = ensureWords('private');
  const result = act(stop.signal);
  const over = result.then(nothing, nothing);
  let ended = false;
  const timer = setTimeout(async () => {
    await words;
    if (ended) return;
    const i18n = activeI18n();
    const action = { label: i18n._(msg`Stop`), act: () => stop.abort(), over };
    showToast({ tone: 'info', text: i18n._(msg`Still trying. The connection is slow.`), action });
  }, stillTryingMs);
  void over.then(() => {
    ended = true;
    clearTimeout(timer);
  });
  return result;
}

const nothing = () => undefined;
