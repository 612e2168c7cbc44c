import { registerRoute } from 'workbox-routing';
import { isGatewayError } from './response-kinds.ts';
import { savedShell } from './saved-shell.ts';
import { applyKillSwitch } from './kill-switch.ts';
import { policyFor } from './policy.ts';
import { scope } from './cache-names.ts';
import { resolveAfter, copyOrNetwork } from './store-limits.ts';

/** Time limit of a page before the shell replaces it, in milliseconds. */
const pageTimeoutMs = 2500;

/** Time limit for reading the shell, in milliseconds. */
const shellTimeoutMs = 1000;

async function fromNetwork(event: FetchEvent): Promise<Response> {
  // Navigation preload may have requested it while the worker was starting. Firefox resolves a failed preload with an
  // error response where other engines reject; passed on, it would show Firefox's error page instead of the shell.
  const preloaded: unknown = await event.preloadResponse;
  return preloaded instanceof Response && preloaded.type !== 'error' ? preloaded : fetch(event.request);
}

/** The server's page if it arrives in time, else the shell, which renders the same URL from cached data. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const network = fromNetwork(event);
  const arrived = network.catch(() => undefined);
  event.waitUntil(arrived.then((page) => page && applyKillSwitch(page)));
  const page = await Promise.race([arrived, resolveAfter(pageTimeoutMs)]);
  if (page && !isGatewayError(page)) return page;
  return copyOrNetwork(savedShell(), () => network, shellTimeoutMs);
}

/** Serves pages of the storefront, network first. */
export function servePages(): void {
  registerRoute(
    ({ request }) => policyFor(request, scope.location.origin) === 'page',
    // as: a navigation always comes as a fetch event
    ({ event }) => answerPage(event as FetchEvent),
  );
}

/** Enables navigation preload: the browser requests the page while the worker starts. */
export async function preloadPages(): Promise<void> {
  await scope.registration.navigationPreload?.enable();
}
