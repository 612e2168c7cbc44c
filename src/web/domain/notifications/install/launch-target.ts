export interface Circumstances {
  /** where the page is now */
  readonly here: string;
  /** the address that the document was loaded by; a first launch tells it once more */
  readonly loadedBy: string;
  readonly isFirst: boolean;
  /** something would be lost: a payment in flight, a form with typed text */
  readonly isBusy: boolean;
}

export type Launch =
  /** the app is in front now, and that is all */
  | { readonly act: 'stay' }
  /** something is being done here, and the customer decides */
  | { readonly act: 'tell' }
  /** a page of ours with nothing to read in its address */
  | { readonly act: 'open'; readonly path: string }
  /** a link that tells something, which is read when a page is loaded */
  | { readonly act: 'load'; readonly address: string };

/**
 * What a launch of the installed app does while it is open (W3C Web App Launch Handler, `focus-existing`). The icon itself
 * only brings the app forward; a shortcut or a link leads on, unless something would be lost.
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
