import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in the HTML of the server and while React takes over, true once controls answer. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
