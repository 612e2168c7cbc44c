import { vi } from 'vitest';

/** The part of an IndexedDB request that is used here. */
interface Request {
  readonly result: unknown;
  onsuccess?: () => void;
}

function answered(result: unknown): Request {
  const request: Request = { result };
  setTimeout(() => request.onsuccess?.());
  return request;
}

/** Of the newest database: the library keeps its first connection, also for the tests of another file. */
let rows = new Map<string, unknown>();

/** For tests in Node: an IndexedDB with one table, stored in `table`. `vi.unstubAllGlobals()` removes it. */
export function openDatabase(table: Map<string, unknown>): void {
  rows = table;
  const transaction = () => {
    const store = {
      get: (key: string) => answered(rows.get(key)),
      put: (value: unknown, key: string) => void rows.set(key, structuredClone(value)),
      delete: (key: string) => void rows.delete(key),
      getAllKeys: () => answered([...rows.keys()]),
      get transaction() {
        return answered(undefined);
      },
    };
    return { objectStore: () => store };
  };
  vi.stubGlobal('indexedDB', { open: () => answered({ transaction }) });
}
