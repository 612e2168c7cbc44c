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

/** The rows of the current database: the library keeps its first connection, also for the tests of another file. */
function currentRows(): Map<string, unknown> {
  const { rows } = globalThis.indexedDB as unknown as { rows: Map<string, unknown> }; // as: stubbed below
  return rows;
}

/** For tests in Node: an IndexedDB with one table, stored in `rows`. `vi.unstubAllGlobals()` removes it. */
export function openDatabase(rows: Map<string, unknown>): void {
  const store = {
    get: (key: string) => answered(currentRows().get(key)),
    put: (value: unknown, key: string) => void currentRows().set(key, structuredClone(value)),
    delete: (key: string) => void currentRows().delete(key),
    getAllKeys: () => answered([...currentRows().keys()]),
    get transaction() {
      return answered(undefined);
    },
  };
  const transaction = () => ({ objectStore: () => store });
  vi.stubGlobal('indexedDB', { rows, open: () => answered({ transaction }) });
}
