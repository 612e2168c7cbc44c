/** Which of the browser's synchronous stores: `local` is valid beyond the tab, `session` is not. */
export type AreaName = 'local' | 'session';

/** A store that never throws: what the browser does not store is remembered until the page closes. */
interface Area {
  readonly keys: () => string[];
  readonly getItem: (key: string) => string | null;
  /** whether it is stored beyond the page */
  readonly setItem: (key: string, value: string) => boolean;
  readonly removeItem: (key: string) => void;
}

/** What the browser refused to store, or to remove (null): a forbidden, broken or full store. */
const refused: Record<AreaName, Map<string, string | null>> = { local: new Map(), session: new Map() };

/**
 * The store of this name. Undefined on the server, where values of one visitor must never be seen by the next. (Node has a
 * `localStorage` of its own, so `window` is what is asked.)
 */
export function area(name: AreaName): Area | undefined {
  if (typeof window === 'undefined') return undefined;
  const own = refused[name];
  return {
    keys: () => {
      const kept = onStore(name, (store) => Array.from({ length: store.length }, (_, index) => store.key(index)));
      const known = [...(kept.done ? kept.value : []), ...own.keys()].filter((key) => key !== null);
      return [...new Set(known)].filter((key) => own.get(key) !== null);
    },
    getItem: (key) => {
      const known = own.get(key);
      if (known !== undefined) return known;
      const kept = onStore(name, (store) => store.getItem(key));
      return kept.done ? kept.value : null;
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

/** A WebView without DOM storage has null in its place; others throw at the first look or at any call. */
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
  const store = area(name);
  for (const key of store?.keys() ?? []) if (key.startsWith(prefix)) store?.removeItem(key);
}
