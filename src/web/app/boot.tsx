import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { hydrate, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { PageState } from '#contract/page.ts';
import { activate, createI18n } from '#web/platform/i18n/active.ts';
import { loadCatalog } from '#web/platform/i18n/catalogs.ts';
import { correctScreen } from '#web/platform/entry/scene.ts';
import { syncHead } from '#web/platform/brand/sync-head.ts';
import type { RouterContext } from '#web/platform/api/router-context.ts';
import { getSession, onSessionChange, setBinding } from '#web/platform/session/session.ts';
import { findPathRow } from '#contract/paths.ts';
import { MessagesProvider } from '#web/platform/i18n/messages-provider.tsx';
import { BrandContext } from '#web/platform/brand/brand-context.tsx';
import type { Elements } from '#web/ui/elements.ts';
import { createAppRouter, type AppRouter } from './router.tsx';

const minuteMs = 60_000;

/** The browser's query client. The API client does the retries, because it knows which calls may be repeated. */
function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: minuteMs, gcTime: 30 * minuteMs, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

export interface StartedApp {
  readonly router: AppRouter;
  readonly context: RouterContext;
}

/** Hydrates the server's HTML if the page has it, and renders the page otherwise. */
export async function boot(state: PageState, install: (started: StartedApp) => void): Promise<StartedApp> {
  const startedAt = performance.now();
  await correctScreen();
  const { language, messages, siteConfig } = state;
  setBinding(siteConfig.login.dpop);
  const i18n = createI18n(language, await loadCatalog(language), siteConfig.timeZone, messages);
  activate(i18n);
  const queryClient = createQueryClient();
  if (state.queries) hydrate(queryClient, state.queries);
  const context: RouterContext = { queryClient, i18n, brand: state };
  const router = createAppRouter(context);
  // The router then renders the same boundaries as the server, as hydration requires.
  if (state.rendered) router.ssr = { manifest: undefined };
  const started = { router, context };
  install(started);
  await followCustomer(queryClient);
  await router.load();
  syncHead(router);
  enableViewTransitions(router, state.rendered ? startedAt + quickMs.toTakeOver : performance.now() + quickMs.toDraw);
  show(started, state.rendered);
  return started;
}

/**
 * Time limits above which later pages get no view transition, because it would delay them: for hydration, from the
 * first step (a phone at a quarter of this machine's speed took 170 to 410 ms, this machine 40 to 140), and for
 * rendering a page without HTML, whose data may have taken longer.
 */
const quickMs = { toTakeOver: 120, toDraw: 32 };

/**
 * Enables view transitions between pages. Not for the first page: a transition would cover visible content and swallow
 * taps. Not on slow phones either, where the snapshot of the old page and its fading take as long as the new page.
 * `until` is the deadline for the first render, by the clock of `performance`.
 */
function enableViewTransitions(router: AppRouter, until: number): void {
  const stop = router.subscribe('onRendered', () => {
    stop();
    const animates = performance.now() < until && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    router.update({ ...router.options, defaultViewTransition: animates });
  });
}

function show({ router, context }: StartedApp, rendered: boolean): void {
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

/** Saved copies belong to the signed-in customer: they are opened and closed with the session. */
async function followCustomer(queryClient: QueryClient): Promise<void> {
  let close: (() => void) | undefined;
  const open = async () => {
    const user = getSession();
    if (!user) return;
    const { openCopies } = await import('./open-copies.ts');
    // the session may have ended while the module was loading
    if (getSession()?.token !== user.token) return;
    const copies = openCopies(queryClient, user);
    close = copies.close;
    await copies.restored;
    return copies.startReads;
  };
  onSessionChange((user) => {
    close?.();
    close = undefined;
    if (user) void open();
  });
  // Only a page that shows such copies waits for them.
  const opening = open();
  if (findPathRow(location.pathname)?.kind === 'app') (await opening)?.();
}

/** The context of every component, the same on the server and in the browser. */
export function Providers({ queryClient, i18n, brand, children }: RouterContext & { children: Elements }) {
  return (
    <QueryClientProvider client={queryClient}>
      <MessagesProvider i18n={i18n}>
        <BrandContext value={brand}>{children}</BrandContext>
      </MessagesProvider>
    </QueryClientProvider>
  );
}
