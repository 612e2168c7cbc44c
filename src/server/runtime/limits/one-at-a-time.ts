/** Runs `act` after all earlier calls with the same key, and settles with its result. */
export type Turns = <T>(key: string, act: () => Promise<T>) => Promise<T>;

/**
 * Calls with one key run one after the other in this process, so that repeats that arrive together do not count as
 * several attempts. Guarantees between processes come from the database.
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
