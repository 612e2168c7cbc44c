import { chunkLoadTimeoutMs } from '#contract/limits.ts';

/**
 * [Note: Hanging chunk] The build puts this around every dynamic import (`.scripts/script-loading.ts`). An import cannot
 * be cancelled, so after `chunkLoadTimeoutMs` its promise is rejected and it is handled as a missing chunk
 * ([Note: Missing chunk]).
 */
export function withTimeout<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error('the import timed out');
      dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }));
      reject(error);
    }, chunkLoadTimeoutMs);
    void loading.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
