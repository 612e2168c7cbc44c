/** A number with its noun, such as `1 customer`, `2 customers`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** For a list that ends at its limit. */
export const mayBeMore = (shown: number): string =>
  `There may be more than ${shown === 1 ? 'this one' : `these ${shown}`}.`;

/** The origin where a shop on this machine serves it: a local name without TLS and port gets the port of the shop. */
export function originOnThisMachine(origin: string, port: number): string {
  const url = new URL(origin);
  if (/(^|\.)localhost$/.test(url.hostname) && url.protocol === 'http:' && url.port === '') url.port = String(port);
  return url.origin;
}

/** The names of the documents about money. */
export const documentKinds = { invoice: 'invoice', creditNote: 'credit note' } as const;
