import type { QueryClient } from '@tanstack/react-query';
import type { PageCall } from '#contract/page.ts';

/**
 * How queries reach the API. The browser uses the network; while the server renders a page, the page's own query client
 * calls in process. Keyed by client, because the server renders many pages at once.
 */
const inProcess = new WeakMap<QueryClient, PageCall>();

/** For `installServerCall`, which builds the errors. */
export function setServerCall(client: QueryClient, call: PageCall): void {
  inProcess.set(client, call);
}

export function serverCallOf(client: QueryClient): PageCall | undefined {
  return inProcess.get(client);
}
