import type { QueryClient } from '@tanstack/react-query';
import { sessionKey } from '#web/platform/session/storage/keys.ts';
import { resultTokenKey } from '#web/platform/session/storage/result-token-key.ts';
import { isBusy, runWhenNotBusy } from '#web/platform/session/busy.ts';
import { followOtherTab } from './log-out.ts';
import { currentToken, onSessionChange, storedToken } from '#web/platform/session/session.ts';
import { hidePrivateContent } from '#web/platform/session/hide-private-content.ts';

interface TabEffects {
  /** hides or shows the customer's data synchronously, before the next paint */
  readonly hidePrivateContent: (on: boolean) => void;
  readonly reload: () => void;
}

const page: TabEffects = { hidePrivateContent, reload: () => location.reload() };

/**
 * Storage defines who is logged in. When another tab logs in, out or in as another customer, this tab hides private
 * content, clears it and reloads. A frozen tab or one in the back/forward cache gets no event, so it compares again
 * when it is visible and is hidden from the moment it is cached. A payment in progress is not interrupted ([Note:
 * Busy]). Returns a function that stops watching.
 */
export function watchOtherTabs(queryClient: QueryClient, effects: TabEffects = page): () => void {
  let known = currentToken();
  let takeBack: () => void = () => undefined;
  const follow = () => {
    if (storedToken() === known) return;
    effects.hidePrivateContent(true);
    // the result of a payment that just ended here is still shown: its token reveals nothing personal
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
    // Ignores this tab's own changes. If storage is full, no session is stored and there is nothing to compare with.
    if (reason !== 'elsewhere') known = user && storedToken();
  });
  const listening = new AbortController();
  const { signal } = listening;
  // A null key is `localStorage.clear()`. Other keys do not concern the session.
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
