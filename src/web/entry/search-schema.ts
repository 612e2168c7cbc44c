import * as v from 'valibot';

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
