import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import type { PageRequest, RenderedPage } from '../contract/page.ts';
import { matchPath } from '../contract/paths.ts';
import { ApiError } from './api/api-error.ts';
import { Providers } from './app/providers.tsx';
import { brandCss } from './brand/tokens.ts';
import { headMarkup } from './head/head-markup.ts';
import { headOf } from './head/sync-head.ts';
import { createI18n } from './i18n/active.ts';
import { serverCatalogs } from './i18n/server-catalogs.ts';
import { createAppRouter } from './router.tsx';
import { installServerCall } from './api/transport.ts';
import { readArrival } from './entry/entry-parameters.ts';
import { sceneOf } from '../contract/scene.ts';

/** The order of the cascade, before any sheet speaks; the same line stands in index.html and ui/tokens.css. */
const layerOrder = '@layer reset, tokens, base, ui, features;';

/** Renders one page for one visitor without a session ([Note: Page hand-over]). */
export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  const { brand, language } = request;
  const url = new URL(request.url, request.origin);
  const i18n = createI18n(language, serverCatalogs[language], brand.messages);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  installServerCall(queryClient, request.call);
  const router = createAppRouter({ queryClient, i18n, brand }, createMemoryHistory({ initialEntries: [request.url] }));
  const arrival = readArrival(url.pathname, url.search);
  const shared = {
    lang: language,
    style: `${layerOrder}${brandCss(brand.theme.themeColor)}`,
    scene: sceneOf(arrival.entry).scene,
  };
  // A link with entry parameters leads elsewhere once the browser has read them; its secrets are not ours to pass on.
  const render = request.render && !arrival.redirect;
  const state = { ...brand, language, rendered: render };
  const head = (words: ReturnType<typeof headOf>) => headMarkup({ ...request, url, ...words });
  if (!render) {
    const words = { title: brand.theme.name, description: undefined, robots: 'noindex' };
    return { status: 200, ...shared, head: head(words), body: '', modules: [catalogModule(language)], state };
  }
  await router.load();
  const result = router._serverResult;
  if (result?.type === 'redirect') {
    return {
      status: 200,
      redirect: result.redirect.headers.get('Location') ?? '/',
      ...shared,
      head: '',
      body: '',
      modules: [],
      state,
    };
  }
  const body = renderToString(
    <StrictMode>
      <Providers queryClient={queryClient} i18n={i18n} brand={brand}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
  return {
    status: statusOf(router, url.pathname),
    ...shared,
    head: head(headOf(router)),
    body,
    modules: [catalogModule(language), ...router.state.matches.map(({ routeId }) => routeModule(routeId))],
    state: { ...state, queries: dehydrate(queryClient) },
  };
}

function statusOf(router: ReturnType<typeof createAppRouter>, pathname: string): 200 | 404 | 500 {
  const failed = router.state.matches.find((match) => match.status === 'error');
  if (failed) return failed.error instanceof ApiError && failed.error.code === 6001 ? 404 : 500;
  const page = matchPath(pathname);
  if (!page || page === '/404') return 404;
  return page === '/500' ? 500 : 200;
}

/** The file of a route; the build knows its lazy parts by it. */
function routeModule(routeId: string): string {
  return `src/web/routes${routeId.endsWith('/') ? `${routeId}index` : routeId}.tsx`;
}

function catalogModule(language: string): string {
  return `locales/${language}.po`;
}
