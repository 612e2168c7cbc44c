import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False in HTML of the server and during hydration, true once controls respond. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
