import { rowOf } from '#contract/paths.ts';

/** The search parameter in which login and register carry where the customer came from. */
export const returnParam = 'return';

/**
 * A path of the storefront to go back to, or undefined: anything that could lead to another site, to the API, or to no
 * page of ours is no path to return to. The answer is normalised, so what was checked is what is opened.
 */
export function safeReturnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 512 || !/^\/(?![/\\])[^\\]*$/.test(value)) return undefined;
  const base = 'https://own.invalid';
  if (!URL.canParse(value, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, base);
  const row = rowOf(pathname);
  if (origin !== base || pathname.startsWith('//') || !row || row.noReturn) return undefined;
  return pathname + search + hash;
}
