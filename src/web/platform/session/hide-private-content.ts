import { rowOf } from '#contract/paths.ts';

/**
 * Hides what belongs to one customer, before anything is painted: the page where it is theirs alone, and on any page
 * what is marked `data-private` (tokens.css). A public page stays as it is.
 */
export function hidePrivateContent(on: boolean): void {
  const { dataset } = document.documentElement;
  if (on) dataset['veiled'] = isPrivatePage(location.pathname) ? 'page' : '';
  else delete dataset['veiled'];
}

/** Whether what a page shows is for nobody but the customer who is signed in ([Note: Other tabs]). */
export function isPrivatePage(pathname: string): boolean {
  return rowOf(pathname)?.privacy !== undefined;
}
