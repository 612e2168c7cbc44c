import { useSyncExternalStore } from 'react';

const asked = '(display-mode: standalone)';

/** Whether this page runs as an installed app, in a window without the controls of a browser (CSS Media Queries 5, `display-mode`). */
export const isStandalone = (): boolean => matchMedia(asked).matches;

function subscribe(listener: () => void): () => void {
  const query = matchMedia(asked);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** A page may become an app while it is open: a desktop moves it into a window of its own at the installation. */
export function useStandalone(): boolean {
  return useSyncExternalStore(subscribe, isStandalone, () => false);
}
