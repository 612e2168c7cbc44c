/** Which of the browser's synchronous stores: `local` outlives the tab, `session` does not. */
export type AreaName = 'local' | 'session';

type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** What private mode, a full disk or a blocked store leave us with: values that last as long as the page. */
function memoryArea(): Area {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const memory: Partial<Record<AreaName, Area>> = {};

/**
 * The store itself, or a substitute in memory from the first refusal on. Whether it takes anything is tried before something is
 * written, and not for a look: trying took more of a page's start than all reading. Undefined on the server, where values of one
 * visitor must never be seen by the next. (Node has a `localStorage` of its own, so `window` is what is asked.)
 */
export function area(name: AreaName, { toWrite = false } = {}): Area | undefined {
  if (typeof window === 'undefined') return undefined;
  const substitute = memory[name];
  if (substitute) return substitute;
  try {
    const real = name === 'local' ? window.localStorage : window.sessionStorage;
    if (toWrite) tryToWrite(real);
    return real;
  } catch {
    // The store is forbidden or full: the shop goes on, and forgets when the page closes.
    return (memory[name] = memoryArea());
  }
}

function tryToWrite(store: Storage): void {
  const probe = 'marquee.probe';
  store.setItem(probe, '');
  store.removeItem(probe);
}

/** Removes every key that starts with `prefix`. */
export function removeByPrefix(name: AreaName, prefix: string): void {
  const store = area(name);
  if (!store) return;
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index));
  for (const key of keys) if (key?.startsWith(prefix)) store.removeItem(key);
}
