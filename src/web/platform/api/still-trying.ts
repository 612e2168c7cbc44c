import { msg } from '@lingui/core/macro';
import { activeI18n } from '#web/platform/i18n/active.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { showToast } from '#web/ui/toast-store.ts';

/** The delay, in milliseconds, after which a waiting customer sees that an action is still in progress. */
export const stillTryingMs = 5000;

/**
 * Actions that may be aborted without harm: one that arrives all the same begins a session that is not used. By name,
 * because the endpoints would bring the schemas of signing in to every page. The payment has its own handling.
 */
const safeToStop: readonly string[] = ['login', 'codeLogin'];

export const isSafeToStop = (name: string): boolean => safeToStop.includes(name);

/**
 * Runs an action that the customer may stop, and shows a toast when it takes long. The worker has the messages of the
 * toast cached; where they cannot be loaded, only the button's spinner continues.
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
