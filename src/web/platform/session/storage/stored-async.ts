import { del, delMany, get, getMany, keys, set } from 'idb-keyval';
import * as v from 'valibot';
import { keyOf, personalPrefix, stored, type Ownership } from './stored.ts';
import { withinLimit } from './time-limit.ts';

/**
 * Like `Stored`, for large values, in IndexedDB. Where that is unavailable, nothing is stored, nothing fails and
 * nothing waits.
 */
interface StoredAsync<T> {
  readonly key: string;
  get(): Promise<T | undefined>;
  set(value: T): Promise<void>;
  remove(): Promise<void>;
}

export function storedAsync<S extends v.GenericSchema>(
  name: string,
  schema: S,
  ownership?: Ownership,
): StoredAsync<v.InferOutput<S>> {
  const key = keyOf(name, ownership);
  return {
    key,
    get: async () => {
      const value: unknown = await available(() => get(key));
      if (value === undefined) return undefined;
      const parsed = v.safeParse(schema, value);
      if (parsed.success) return parsed.output;
      await available(() => del(key));
      return undefined;
    },
    set: (value) => available(() => set(key, value)),
    remove: () => available(() => del(key)),
  };
}

/** Every value whose name begins with `prefix`, unparsed: the caller parses it. Has no time limit. */
export async function readAllWithPrefix(
  prefix: string,
  ownership?: Ownership,
): Promise<[name: string, value: unknown][]> {
  const start = keyOf('', ownership);
  try {
    const found = await keysWith(start + prefix);
    const values = await getMany<unknown>(found);
    return values.map((value, index) => [(found[index] ?? '').slice(start.length), value]);
  } catch {
    return [];
  }
}

/** A removal of personal copies is pending: the store did not answer at logout. */
const removalKey = stored('removal', v.literal('due'), 'local', { personal: false });

/** Removes all personal values. If the store is too slow, the removal ends when it answers, or at the next start. */
export async function removePersonalAsync(): Promise<void> {
  if (!hasDatabase()) return removalKey.remove();
  removalKey.set('due');
  await withinLimit(async () => {
    await delMany(await keysWith(personalPrefix));
    removalKey.remove();
  });
}

/** Call once per page: completes a removal that an earlier page could not finish. */
export async function finishRemoval(): Promise<void> {
  if (removalKey.get()) await removePersonalAsync();
}

/** Where sites may store nothing, it is missing or throws at the first access. */
function hasDatabase(): boolean {
  try {
    return typeof indexedDB !== 'undefined';
  } catch {
    return false;
  }
}

async function keysWith(prefix: string): Promise<string[]> {
  const all = await keys();
  return all.filter((key) => typeof key === 'string').filter((key) => key.startsWith(prefix));
}

/** A request to the store is unanswered; until it settles, no other is sent. */
let isUnresponsive = false;

/**
 * Runs one request to IndexedDB; undefined where the browser has none, forbids it, fails (private mode, full disk) or
 * does not answer.
 */
async function available<T>(act: () => Promise<T>): Promise<T | undefined>;
async function available(act: () => Promise<void>): Promise<void>;
async function available<T>(act: () => Promise<T>): Promise<T | undefined> {
  if (isUnresponsive) return undefined;
  let isOver = false;
  const found = await withinLimit(async () => {
    try {
      return await act();
    } finally {
      isOver = true;
      isUnresponsive = false;
    }
  });
  isUnresponsive = !isOver;
  return found;
}
