import * as v from 'valibot';

export type Search = Record<string, string>;

/**
 * The router's query, plain: strings in, strings out; the first of several wins. The router's own way would turn
 * `?q=123` into a number and write defaults into the address. `__proto__` is no name: the router copies by assignment.
 */
export function parseSearch(search: string): Search {
  const found: Search = {};
  for (const [name, value] of new URLSearchParams(search)) {
    if (name !== '__proto__' && !Object.hasOwn(found, name)) found[name] = value;
  }
  return found;
}

/** The query of an address, with its `?` unless empty. What is neither text, number nor boolean is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : [],
  );
  const text = new URLSearchParams(pairs).toString();
  return text ? `?${text}` : '';
}

/**
 * Pieces of a route's search schema. What does not fit counts as absent: an address can be mistyped or made up by
 * anyone, and a page must open all the same.
 */
export function optional<T>(schema: v.GenericSchema<unknown, T>) {
  return v.optional(v.fallback(v.optional(schema), undefined));
}

export function optionalText(max: number) {
  return optional(v.pipe(v.string(), v.maxLength(max)));
}
