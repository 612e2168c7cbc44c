import { findPathRow } from '#contract/paths.ts';

interface WindowChoice {
  readonly index: number;
  /** whether the window has to be navigated to the page; otherwise it is there, or navigates itself */
  readonly needsNavigation: boolean;
}

/**
 * Selects the open window for a message; undefined opens a new one. First a window at that page or at the same order,
 * whose page follows the payment by itself; then one that may be navigated away.
 */
export function chooseWindow(path: string, urls: readonly string[]): WindowChoice | undefined {
  const wanted = new URL(path, 'https://shop.invalid');
  const orderId = wanted.searchParams.get('orderId');
  const open = urls.map((url) => new URL(url));
  const there = open.findIndex(({ pathname, search, searchParams }) =>
    orderId === null ? pathname + search === path : searchParams.get('orderId') === orderId,
  );
  if (there >= 0) return { index: there, needsNavigation: false };
  const free = open.findIndex(({ pathname }) => findPathRow(pathname)?.calm);
  return free >= 0 ? { index: free, needsNavigation: true } : undefined;
}
