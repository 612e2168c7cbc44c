import { useSyncExternalStore } from 'react';

const standaloneQuery = '(display-mode: standalone)';

/**
 * Whether this page runs as an installed app, in a window without browser controls (CSS Media Queries 5,
 * `display-mode`).
 */
export const isStandalone = (): boolean => matchMedia(standaloneQuery).matches;

function subscribe(listener: () => void): () => void {
  const query = matchMedia(standaloneQuery);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Updates while the page is open: a desktop browser moves it into its own window at the installation. */
export function useStandalone(): boolean {
  return useSyncExternalStore(subscribe, isStandalone, () => false);
}
