import { rowOf } from '#contract/paths.ts';

export interface Place {
  readonly index: number;
  /** it has to be led to the page; otherwise it is there, or goes there by itself */
  readonly leads: boolean;
}

/**
 * Which of the open windows shows what a message is about; undefined for a new one. First one that is at that page or at
 * the same order, whose page follows the payment by itself; then one that may be left.
 */
export function placeFor(path: string, urls: readonly string[]): Place | undefined {
  const wanted = new URL(path, 'https://shop.invalid');
  const orderId = wanted.searchParams.get('orderId');
  const open = urls.map((url) => new URL(url));
  const there = open.findIndex(({ pathname, search, searchParams }) =>
    orderId === null ? pathname + search === path : searchParams.get('orderId') === orderId,
  );
  if (there >= 0) return { index: there, leads: false };
  const free = open.findIndex(({ pathname }) => rowOf(pathname)?.calm);
  return free >= 0 ? { index: free, leads: true } : undefined;
}
