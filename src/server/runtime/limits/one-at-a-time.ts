/** Runs `act` when the calls before it that have the same key are done, and settles as it does. */
export type Turns = <T>(key: string, act: () => Promise<T>) => Promise<T>;

/**
 * Calls with one key run one after the other in this process. It keeps repeats that arrive together from being counted as
 * many attempts; what must hold between processes is decided by the database.
 */
export function createTurns(): Turns {
  const latest = new Map<string, Promise<unknown>>();
  return async (key, act) => {
    const before = latest.get(key);
    const own = before ? before.then(act, act) : act();
    latest.set(key, own);
    try {
      return await own;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  };
}
