import * as v from 'valibot';
import { getStorageArea, type AreaName } from './area.ts';

/**
 * Keys that start with `marquee.me.` belong to the customer, and logout removes them all by that prefix, in every
 * store; `marquee.site.` keys belong to the device. Personal is the default, so that an omission loses data instead of
 * leaking it.
 */
export const personalPrefix = 'marquee.me.';
const sitePrefix = 'marquee.site.';

export interface Ownership {
  readonly personal?: boolean | undefined;
}

export interface Stored<T> {
  /** its key in the store; storage events contain it */
  readonly key: string;
  /** undefined when it is missing, or when it does not fit its schema (then it is removed) */
  get(): T | undefined;
  /** returns whether it is stored beyond the page */
  set(value: T): boolean;
  remove(): void;
}

export function keyOf(name: string, { personal = true }: Ownership = {}): string {
  return (personal ? personalPrefix : sitePrefix) + name;
}

/**
 * A value of the browser's store that is parsed when read. The store contains the schema's input, so schemas may
 * transform.
 */
export function stored<S extends v.GenericSchema>(
  name: string,
  schema: S,
  areaName: AreaName,
  ownership?: Ownership,
): Stored<v.InferOutput<S>> {
  const key = keyOf(name, ownership);
  return {
    key,
    get: () => read(key, schema, areaName),
    set: (value) => getStorageArea(areaName)?.setItem(key, JSON.stringify(value)) ?? false,
    remove: () => getStorageArea(areaName)?.removeItem(key),
  };
}

function read<S extends v.GenericSchema>(key: string, schema: S, areaName: AreaName): v.InferOutput<S> | undefined {
  const store = getStorageArea(areaName);
  const text = store?.getItem(key);
  if (text === undefined || text === null) return undefined;
  const parsed = v.safeParse(schema, parseJson(text));
  if (parsed.success) return parsed.output;
  store?.removeItem(key);
  return undefined;
}

/** Undefined for invalid JSON; no schema of the storefront accepts it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
