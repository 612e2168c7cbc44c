import type { QueryClient } from '@tanstack/react-query';
import { sessionKey } from '#web/platform/session/storage/keys.ts';
import { resultTokenKey } from '#web/platform/session/storage/result-token-key.ts';
import { isBusy, runWhenNotBusy } from '#web/platform/session/busy.ts';
import { followOtherTab } from './leave.ts';
import { heldToken, onSessionChange, storedToken } from '#web/platform/session/session.ts';
import { hidePrivateContent } from '#web/platform/session/hide-private-content.ts';

export interface TabEffects {
  /** hides what is the customer's own, or shows it again; at once, before anything is painted */
  readonly hidePrivateContent: (on: boolean) => void;
  readonly reload: () => void;
}

const page: TabEffects = { hidePrivateContent, reload: () => location.reload() };

/**
 * [Note: Other tabs] The store says who is signed in, and a tab goes by what it has read there. When another tab logs
 * in, out, or in as somebody else, this one hides what is private, forgets it, and reloads. It hears of it by
 * an event; a tab that was frozen or kept for the Back button hears nothing, so it looks when it is seen again, and is
 * veiled from the moment it is kept. Only a payment in flight here is not interrupted: its tab follows when it is over
 * ([Note: Busy]). The answer stops watching.
 */
export function watchOtherTabs(queryClient: QueryClient, effects: TabEffects = page): () => void {
  let known = heldToken();
  let takeBack: () => void = () => undefined;
  const follow = () => {
    if (storedToken() === known) return;
    effects.hidePrivateContent(true);
    // a payment that has just ended here is still told of: its token shows nothing personal
    const result = resultTokenKey.get();
    followOtherTab(queryClient);
    if (result) resultTokenKey.set(result);
    effects.reload();
  };
  const look = () => {
    takeBack();
    const changed = storedToken() !== known;
    if (!changed || isBusy('payment')) effects.hidePrivateContent(false);
    if (changed) takeBack = runWhenNotBusy('payment', follow);
  };
  const stopHearing = onSessionChange((user, reason) => {
    // What this tab does itself is no news to it. A full disk keeps no session, and then there is none to compare with.
    if (reason !== 'elsewhere') known = user && storedToken();
  });
  const listening = new AbortController();
  const { signal } = listening;
  // A null key is `localStorage.clear()`. Other keys say nothing of the session.
  const isSession = ({ key }: StorageEvent) => key === null || key === sessionKey.key;
  window.addEventListener('storage', (event) => isSession(event) && look(), { signal });
  window.addEventListener('pageshow', look, { signal });
  window.addEventListener(
    'pagehide',
    (event) => event.persisted && known !== null && effects.hidePrivateContent(true),
    { signal },
  );
  document.addEventListener('visibilitychange', () => document.hidden || look(), { signal });
  look();
  return () => {
    takeBack();
    stopHearing();
    listening.abort();
  };
}
