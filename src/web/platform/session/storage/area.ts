/** The browser's synchronous stores: `local` is valid beyond the tab, `session` is not. */
export type AreaName = 'local' | 'session';

/** A store that never throws: values that the browser does not store stay in memory until the page closes. */
interface Area {
  readonly keys: () => string[];
  readonly getItem: (key: string) => string | null;
  /** returns whether it is stored beyond the page */
  readonly setItem: (key: string, value: string) => boolean;
  readonly removeItem: (key: string) => void;
}

/** Values that the browser refused to store, or to remove (null): the store is forbidden, broken or full. */
const refused: Record<AreaName, Map<string, string | null>> = { local: new Map(), session: new Map() };

/**
 * The store of this name. Undefined on the server, where one visitor's values must never reach the next. (Node has its
 * own `localStorage`, so `window` is tested.)
 */
export function getStorageArea(name: AreaName): Area | undefined {
  if (typeof window === 'undefined') return undefined;
  const own = refused[name];
  return {
    keys: () => {
      const stored = onStore(name, (store) => Array.from({ length: store.length }, (_, index) => store.key(index)));
      const known = [...(stored.done ? stored.value : []), ...own.keys()].filter((key) => key !== null);
      return [...new Set(known)].filter((key) => own.get(key) !== null);
    },
    getItem: (key) => {
      const known = own.get(key);
      if (known !== undefined) return known;
      const stored = onStore(name, (store) => store.getItem(key));
      return stored.done ? stored.value : null;
    },
    setItem: (key, value) => {
      own.delete(key);
      if (onStore(name, (store) => store.setItem(key, value)).done) return true;
      // the old value would be stale at the next start
      onStore(name, (store) => store.removeItem(key));
      own.set(key, value);
      return false;
    },
    removeItem: (key) => {
      own.delete(key);
      if (!onStore(name, (store) => store.removeItem(key)).done) own.set(key, null);
    },
  };
}

type Outcome<T> = { readonly done: true; readonly value: T } | { readonly done: false };

/** In a WebView without DOM storage the store is null; others throw at the access or at any call. */
function onStore<T>(name: AreaName, act: (store: Storage) => T): Outcome<T> {
  try {
    const store: Storage | null = name === 'local' ? window.localStorage : window.sessionStorage;
    return store ? { done: true, value: act(store) } : { done: false };
  } catch {
    return { done: false };
  }
}

/** Removes every key that starts with `prefix`. */
export function removeByPrefix(name: AreaName, prefix: string): void {
  const store = getStorageArea(name);
  for (const key of store?.keys() ?? []) if (key.startsWith(prefix)) store?.removeItem(key);
}
