export interface Circumstances {
  /** the current address */
  readonly here: string;
  /** the address that the document was loaded by; a first launch reports it again */
  readonly loadedBy: string;
  readonly isFirst: boolean;
  /** leaving would lose something: a payment in progress or typed text */
  readonly isBusy: boolean;
}

export type Launch =
  /** bring the app to the front only */
  | { readonly act: 'stay' }
  /** inform the customer, because something is in progress */
  | { readonly act: 'tell' }
  /** navigate to a page without parameters to read */
  | { readonly act: 'open'; readonly path: string }
  /** a link with parameters, which are read when a page is loaded */
  | { readonly act: 'load'; readonly address: string };

/**
 * What a launch of the installed app does while it is open (W3C Web App Launch Handler, `focus-existing`). The icon
 * only brings the app to the front; a shortcut or link navigates, unless something would be lost.
 */
export function launchOf(target: string, { here, loadedBy, isFirst, isBusy }: Circumstances): Launch {
  const to = new URL(target, here);
  const at = new URL(here);
  const isOwn = to.origin === at.origin;
  const isIcon = to.pathname === '/' && to.search === '' && to.hash === '';
  if (!isOwn || isIcon || to.href === at.href || (isFirst && to.href === loadedBy)) return { act: 'stay' };
  if (isBusy) return { act: 'tell' };
  return to.search === '' && to.hash === '' ? { act: 'open', path: to.pathname } : { act: 'load', address: to.href };
}
