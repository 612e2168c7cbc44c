import { isPrivatePage } from './private-page.ts';

/**
 * Hides what belongs to one customer, before anything is painted: the page where it is theirs alone, and on any page
 * what is marked `data-private` (tokens.css). A public page stays as it is.
 */
export function veil(on: boolean): void {
  const { dataset } = document.documentElement;
  if (on) dataset['veiled'] = isPrivatePage(location.pathname) ? 'page' : '';
  else delete dataset['veiled'];
}
