import { useCallback, useState } from 'react';
import { ApiError } from '#web/platform/api/api-error.ts';
import { perform } from '#web/platform/api/perform.ts';

/**
 * A part of the page that is fetched when it is first wanted. Unlike `lazy`, a part that cannot be had leaves the page,
 * and what is typed in it, as it was, and says so. `load` must stay the same function.
 */
export function useLazyModule<T>(load: () => Promise<T>): readonly [part: T | undefined, want: () => Promise<boolean>] {
  const [part, setPart] = useState<T>();
  const want = useCallback(async () => {
    try {
      const found = await load();
      setPart(() => found);
      return true;
    } catch (cause) {
      partMissing(cause);
      return false;
    }
  }, [load]);
  return [part, want];
}

/** Says that something that was wanted could not be fetched. */
export function partMissing(cause: unknown): void {
  void perform([{ type: 'toast', tone: 'warning' }], new ApiError('network', 'part', { lost: 'unreachable', cause }));
}
