import { findPathRow } from '#contract/paths.ts';

/** The search parameter with the page to return to after login or registration. */
export const returnParam = 'return';

/**
 * A path of the storefront to return to. Undefined for anything that could lead to another site, to the API or to no
 * page. The result is normalised, so the checked path is the one that is opened.
 */
export function safeReturnPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 512 || !/^\/(?![/\\])[^\\]*$/.test(value)) return undefined;
  const base = 'https://own.invalid';
  if (!URL.canParse(value, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(value, base);
  const row = findPathRow(pathname);
  if (origin !== base || pathname.startsWith('//') || !row || row.noReturn) return undefined;
  return pathname + search + hash;
}
