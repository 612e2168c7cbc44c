import { useCallback, useState } from 'react';
import { ApiError } from '#web/platform/api/api-error.ts';
import { perform } from '#web/platform/api/perform.ts';

/**
 * A module that is fetched when it is first needed. Unlike `lazy`, a failed load leaves the page and its input
 * unchanged and shows a toast. `load` must stay the same function.
 */
export function useLazyModule<T>(
  load: () => Promise<T>,
): readonly [part: T | undefined, request: () => Promise<boolean>] {
  const [part, setPart] = useState<T>();
  const request = useCallback(async () => {
    try {
      const found = await load();
      setPart(() => found);
      return true;
    } catch (cause) {
      reportMissingModule(cause);
      return false;
    }
  }, [load]);
  return [part, request];
}

/** Shows that a module could not be loaded. */
export function reportMissingModule(cause: unknown): void {
  void perform([{ type: 'toast', tone: 'warning' }], new ApiError('network', 'part', { lost: 'unreachable', cause }));
}
