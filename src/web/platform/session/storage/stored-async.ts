import { del, delMany, get, getMany, keys, set } from 'idb-keyval';
import * as v from 'valibot';
import { keyOf, personalPrefix, stored, type Ownership } from './stored.ts';
import { withinLimit } from './time-limit.ts';

/** As `Stored`, for what is large: in IndexedDB. Where that is unavailable, nothing is stored, nothing fails and nothing waits. */
export interface StoredAsync<T> {
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

/** Everything whose name begins with `prefix`, as it was put there: whoever reads it parses it. Takes as long as it takes. */
export async function allOf(prefix: string, ownership?: Ownership): Promise<[name: string, value: unknown][]> {
  const start = keyOf('', ownership);
  try {
    const found = await keysWith(start + prefix);
    const values = await getMany<unknown>(found);
    return values.map((value, index) => [(found[index] ?? '').slice(start.length), value]);
  } catch {
    return [];
  }
}

/** Personal copies are still to be removed: the store did not answer when their owner left. */
const removalKey = stored('removal', v.literal('due'), 'local', { personal: false });

/** Removes all that is personal; what the store does not do in time is done when it answers, or at the next start. */
export async function removePersonalAsync(): Promise<void> {
  if (!hasDatabase()) return removalKey.remove();
  removalKey.set('due');
  await withinLimit(async () => {
    await delMany(await keysWith(personalPrefix));
    removalKey.remove();
  });
}

/** Call once per page: finishes a removal that an earlier page could not wait for. */
export async function finishRemoval(): Promise<void> {
  if (removalKey.get()) await removePersonalAsync();
}

/** Where sites may store nothing it is missing, or throws at the first look. */
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

/** An act on the store has not come back yet: until it does, nothing else is sent to it. */
let isSilent = false;

/** Runs one act on IndexedDB; undefined where the browser has none, forbids it, fails (private mode, full disk) or is silent. */
async function available<T>(act: () => Promise<T>): Promise<T | undefined>;
async function available(act: () => Promise<void>): Promise<void>;
async function available<T>(act: () => Promise<T>): Promise<T | undefined> {
  if (isSilent) return undefined;
  let isOver = false;
  const found = await withinLimit(async () => {
    try {
      return await act();
    } finally {
      isOver = true;
      isSilent = false;
    }
  });
  isSilent = !isOver;
  return found;
}
