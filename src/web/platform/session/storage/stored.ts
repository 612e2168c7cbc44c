import * as v from 'valibot';
import { area, type AreaName } from './area.ts';

/**
 * [Note: Whose data] A key says whose it is. `marquee.me.` keys belong to the customer and logout removes them all by
 * that prefix, wherever they are; `marquee.site.` keys belong to the device. Personal is the default, so that
 * forgetting to say it errs on the side of forgetting the data.
 */
export const personalPrefix = 'marquee.me.';
const sitePrefix = 'marquee.site.';

export interface Ownership {
  readonly personal?: boolean | undefined;
}

export interface Stored<T> {
  /** as it is called in the store; storage events carry it */
  readonly key: string;
  /** undefined when there is none, or when it no longer fits its schema (it is dropped then) */
  get(): T | undefined;
  /** answers whether it is stored beyond the page */
  set(value: T): boolean;
  remove(): void;
}

export function keyOf(name: string, { personal = true }: Ownership = {}): string {
  return (personal ? personalPrefix : sitePrefix) + name;
}

/** A value of the browser's store that is parsed when read. It holds the schema's input, so schemas may transform. */
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
    set: (value) => area(areaName)?.setItem(key, JSON.stringify(value)) ?? false,
    remove: () => area(areaName)?.removeItem(key),
  };
}

function read<S extends v.GenericSchema>(key: string, schema: S, areaName: AreaName): v.InferOutput<S> | undefined {
  const store = area(areaName);
  const text = store?.getItem(key);
  if (text === undefined || text === null) return undefined;
  const parsed = v.safeParse(schema, parseJson(text));
  if (parsed.success) return parsed.output;
  store?.removeItem(key);
  return undefined;
}

/** undefined for what is no JSON; no schema of ours accepts it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
