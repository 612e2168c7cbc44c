import { registerRoute } from 'workbox-routing';
import { isAway } from './answers.ts';
import { savedShell } from './saved-shell.ts';
import { applyKillSwitch } from './kill-switch.ts';
import { policyFor } from './policy.ts';
import { scope } from './cache-names.ts';
import { after, copyOrNetwork } from './store-limits.ts';

/** After how long a page that does not arrive is replaced by the shell, in milliseconds. */
const pageTimeoutMs = 2500;

/** How long such a page waits for the shell, in milliseconds. */
const shellTimeoutMs = 1000;

async function fromNetwork(event: FetchEvent): Promise<Response> {
  // The browser may have requested it already, while the worker was starting. Firefox resolves a failed request with an
  // error response where other engines reject; answered with that, it shows its own page instead of the shell.
  const preloaded: unknown = await event.preloadResponse;
  return preloaded instanceof Response && preloaded.type !== 'error' ? preloaded : fetch(event.request);
}

/** The server's page when it arrives in time, else the shell, which draws the same address from saved copies. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const network = fromNetwork(event);
  const arrived = network.catch(() => undefined);
  event.waitUntil(arrived.then((page) => page && applyKillSwitch(page)));
  const page = await Promise.race([arrived, after(pageTimeoutMs)]);
  if (page && !isAway(page)) return page;
  return copyOrNetwork(savedShell(), () => network, shellTimeoutMs);
}

/** Pages of the storefront come from the network first. */
export function servePages(): void {
  registerRoute(
    ({ request }) => policyFor(request, scope.location.origin) === 'page',
    // a navigation always comes as a fetch event
    ({ event }) => answerPage(event as FetchEvent),
  );
}

/** Lets the browser ask for the page while the worker starts. */
export async function preloadPages(): Promise<void> {
  await scope.registration.navigationPreload?.enable();
}
