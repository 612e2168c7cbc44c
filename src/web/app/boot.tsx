import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { hydrate, QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { PageState } from '#contract/page.ts';
import { activate, createI18n, timeZones } from '#web/platform/i18n/active.ts';
import { loadCatalog } from '#web/platform/i18n/catalogs.ts';
import { createAppRouter, type AppRouter } from './router.tsx';
import { correctScreen } from '#web/platform/entry/scene.ts';
import { syncHead } from '#web/platform/brand/sync-head.ts';
import { Providers } from './providers.tsx';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { getSession, onSessionChange } from '#web/platform/session/session.ts';
import { rowOf } from '#contract/paths.ts';

const minuteMs = 60_000;

/** The browser's query client. Retries belong to the API client, which knows what may be asked twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: minuteMs, gcTime: 30 * minuteMs, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export interface Started {
  readonly router: AppRouter;
  readonly context: RouterContext;
}

/** Makes the page live: takes over the server's HTML where there is some, draws it where there is none. */
export async function boot(state: PageState, install: (started: Started) => void): Promise<Started> {
  const begun = performance.now();
  await correctScreen();
  const i18n = createI18n(state.language, await loadCatalog(state.language), state.messages);
  timeZones.set(i18n, state.siteConfig.timeZone);
  activate(i18n);
  const queryClient = createQueryClient();
  if (state.queries) hydrate(queryClient, state.queries);
  const context: RouterContext = { queryClient, i18n, brand: state };
  const router = createAppRouter(context);
  // The router then draws the same boundaries as on the server, and React finds what it expects.
  if (state.rendered) router.ssr = { manifest: undefined };
  const started = { router, context };
  install(started);
  await followCustomer(queryClient);
  await router.load();
  syncHead(router);
  moveBetweenPages(router, state.rendered ? begun + quickMs.toTakeOver : performance.now() + quickMs.toDraw);
  show(started, state.rendered);
  return started;
}

/**
 * Who takes longer than this would have the next pages late with a transition: to take over a page of the server, from the
 * first step (a phone at a quarter of this machine's speed took 170 to 410 ms, this one 40 to 140), or to draw a page of
 * its own, for which data may have been waited before.
 */
const quickMs = { toTakeOver: 120, toDraw: 32 };

/**
 * Pages change into one another. Not the first one: a transition would cover what is already seen, and swallow the taps on
 * it. Nor on slow phones, where the picture of the old page and its fading take as long as the new page itself.
 * `until` is when a quick one has rendered the first page, by the clock of `performance`.
 */
function moveBetweenPages(router: AppRouter, until: number): void {
  const stop = router.subscribe('onRendered', () => {
    stop();
    const moves = performance.now() < until && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    router.update({ ...router.options, defaultViewTransition: moves });
  });
}

function show({ router, context }: Started, rendered: boolean): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const app = (
    <StrictMode>
      <Providers {...context}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  );
  if (rendered) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

/** Saved copies belong to whoever is signed in: they are opened with the session and closed with it. */
export async function followCustomer(queryClient: QueryClient): Promise<void> {
  let close: (() => void) | undefined;
  const open = async () => {
    const user = getSession();
    if (!user) return;
    const { openCopies } = await import('./open-copies.ts');
    // somebody may have left while it came
    if (getSession()?.token !== user.token) return;
    const copies = openCopies(queryClient, user);
    close = copies.close;
    await copies.restored;
  };
  onSessionChange((user) => {
    close?.();
    close = undefined;
    if (user) void open();
  });
  // Only a page that shows such copies waits for them.
  const opening = open();
  if (rowOf(location.pathname)?.kind === 'app') await opening;
}
