import { findPathRow } from '#contract/paths.ts';

/**
 * Hides a customer's private content before the next paint: the whole page where it is private, else the elements with
 * `data-private` (tokens.css). A public page stays unchanged.
 */
export function hidePrivateContent(on: boolean): void {
  const { dataset } = document.documentElement;
  if (on) dataset['veiled'] = isPrivatePage(location.pathname) ? 'page' : '';
  else delete dataset['veiled'];
}

/** Whether a page shows content of the signed-in customer only. */
export function isPrivatePage(pathname: string): boolean {
  return findPathRow(pathname)?.privacy !== undefined;
}
