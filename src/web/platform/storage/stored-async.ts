import { del, get, getMany, keys, set } from 'idb-keyval';
import * as v from 'valibot';
import { keyOf, personalPrefix, type Ownership } from './stored.ts';

/** As `Stored`, for what is large: in IndexedDB. Where that is unavailable, nothing is kept and nothing fails. */
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

/** Everything whose name begins with `prefix`, as it was put there: whoever reads it parses it. */
export async function allOf(prefix: string, ownership?: Ownership): Promise<[name: string, value: unknown][]> {
  const start = keyOf('', ownership);
  const all = (await available(() => keys())) ?? [];
  const found = all.filter((key) => typeof key === 'string').filter((key) => key.startsWith(start + prefix));
  const values = (await available(() => getMany<unknown>(found))) ?? [];
  return values.map((value, index) => [(found[index] ?? '').slice(start.length), value]);
}

export async function removePersonalAsync(): Promise<void> {
  const all = (await available(() => keys())) ?? [];
  const personal = all.filter((key) => typeof key === 'string' && key.startsWith(personalPrefix));
  await Promise.all(personal.map((key) => available(() => del(key))));
}

/** Runs one act on IndexedDB; undefined where the browser has none, forbids it, or fails (private mode, full disk). */
async function available<T>(act: () => Promise<T>): Promise<T | undefined>;
async function available(act: () => Promise<void>): Promise<void>;
async function available<T>(act: () => Promise<T>): Promise<T | undefined> {
  if (typeof indexedDB === 'undefined') return undefined;
  return act().catch(() => undefined);
}
