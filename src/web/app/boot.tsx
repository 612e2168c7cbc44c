import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { hydrate } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { PageState } from '../../contract/page.ts';
import { activate, createI18n } from '../i18n/active.ts';
import { loadCatalog } from '../i18n/catalogs.ts';
import { createAppRouter, type AppRouter } from '../router.tsx';
import { correctScreen } from '../entry/scene.ts';
import { syncHead } from '../head/sync-head.ts';
import { Providers } from './providers.tsx';
import { followCustomer } from './follow-customer.ts';
import { createQueryClient } from './query-client.ts';
import type { RouterContext } from './router-context.ts';

export interface Started {
  readonly router: AppRouter;
  readonly context: RouterContext;
}

/** Makes the page live: takes over the server's HTML where there is some, draws it where there is none. */
export async function boot(state: PageState, install: (started: Started) => void): Promise<Started> {
  await correctScreen();
  const i18n = createI18n(state.language, await loadCatalog(state.language), state.messages);
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
  show(started, state.rendered);
  return started;
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
