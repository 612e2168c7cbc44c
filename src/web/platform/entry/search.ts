import * as v from 'valibot';

export type Search = Record<string, string>;

/**
 * The router's query as plain strings; the first of several values wins. The router's default parser would turn
 * `?q=123` into a number and write defaults into the URL. `__proto__` is no valid name, because the router copies by
 * assignment.
 */
export function parseSearch(search: string): Search {
  const found: Search = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (name !== '__proto__' && !Object.hasOwn(found, name)) found[name] = value;
  }
  return found;
}

/** The query of a URL, with its `?` unless empty. Values that are not text, number or boolean are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : [],
  );
  const text = new URLSearchParams(pairs).toString();
  return text ? `?${text}` : '';
}

/**
 * For a route's search schema. An invalid value counts as absent: any link may be wrong, and the page must open all the
 * same.
 */
export function optional<T>(schema: v.GenericSchema<unknown, T>) {
  return v.optional(v.fallback(v.optional(schema), undefined));
}

export function optionalText(max: number) {
  return optional(v.pipe(v.string(), v.maxLength(max)));
}
