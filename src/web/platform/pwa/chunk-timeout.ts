import { chunkLoadTimeoutMs } from '#contract/limits.ts';

/**
 * The build wraps every dynamic import in this function (`.scripts/script-loading.ts`). An import cannot be cancelled,
 * so after `chunkLoadTimeoutMs` its promise is rejected and handled as a missing chunk (`chunk-reload.ts`).
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
