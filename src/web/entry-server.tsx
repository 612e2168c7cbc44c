import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import type { PageRequest, RenderedPage } from '#contract/page.ts';
import type { Language } from '#contract/fields.ts';
import { findPathRow, matchPath } from '#contract/paths.ts';
import { listPlans } from '#contract/plan.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { Providers } from '#web/app/boot.tsx';
import { createAppRouter } from '#web/app/router.tsx';
import { brandCss } from '#web/platform/brand/tokens.ts';
import { headMarkup, type PageSubject } from '#web/platform/brand/head-markup.ts';
import { headOf } from '#web/platform/brand/sync-head.ts';
import { createI18n, timeZones } from '#web/platform/i18n/active.ts';
import { serverCatalogs } from '#web/platform/i18n/server-catalogs.ts';
import { themeScript } from '#web/platform/session/storage/theme-key.ts';
import { lazyPartsReady } from '#web/ui/lazy-part.tsx';
import { installServerCall } from '#web/platform/api/server-call.ts';
import { recordEarlyTaps } from '#web/platform/entry/early-taps.ts';
import { readArrival } from '#web/platform/entry/read-address.ts';
import { sceneOf } from '#contract/scene.ts';
import { screenOf, type Screen } from '#contract/screen.ts';

/** The order of the cascade layers, before any sheet; index.html and ui/tokens.css contain the same line. */
const layerOrder = '@layer reset, tokens, base, ui, features;';

/** The text of platform/pwa/start-guard.ts, minified by the build. */
declare const __START_GUARD__: string;

const bodyScript = `(${recordEarlyTaps.toString()})();${__START_GUARD__}`;

/** Renders one page for a visitor without a session (`src/contract/page.ts`). */
export async function renderPage(request: PageRequest): Promise<RenderedPage> {
  const url = new URL(request.url, request.origin);
  const arrival = readArrival(url.pathname, url.search);
  const { scene } = sceneOf(arrival.entry);
  const frame = frameOf(request, screenOf({ userAgent: request.userAgent, scene }));
  // A link with entry parameters redirects once the browser has read them; the server must not pass its secrets on.
  if (!request.render || arrival.redirect) return shell(request, frame, 200);
  const { brand, language } = request;
  const i18n = createI18n(language, serverCatalogs[language], brand.messages);
  timeZones.set(i18n, brand.siteConfig.timeZone);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  installServerCall(queryClient, request.call);
  const router = createAppRouter({ queryClient, i18n, brand }, createMemoryHistory({ initialEntries: [request.url] }));
  await router.load();
  const result = router._serverResult;
  if (result?.type === 'redirect') return { redirect: result.redirect.headers.get('Location') ?? '/' };
  const failed = router.state.matches.find((match) => match.status === 'error');
  // A failure here may succeed in the browser, which could not hydrate a page that shows an error.
  if (failed) return isGone(failed.error) ? { redirect: '/404' } : shell(request, frame, 500);
  await lazyPartsReady();
  const body = renderToString(
    <StrictMode>
      <Providers queryClient={queryClient} i18n={i18n} brand={brand}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
  return {
    ...frame,
    status: statusOf(url.pathname),
    head: headMarkup({ ...request, url, ...headOf(router), subject: subjectOf(queryClient, url, language) }),
    body,
    modules: [...frame.modules, ...router.state.matches.map(({ routeId }) => routeModule(routeId))],
    state: { ...frame.state, rendered: true, queries: dehydrate(queryClient) },
  };
}

/** The parts that every page of the brand has, rendered or not. */
function frameOf({ brand, language }: PageRequest, screen: Screen) {
  return {
    lang: language,
    screen,
    style: layerOrder + brandCss(brand.theme.themeColor),
    firstScript: themeScript,
    script: bodyScript,
    modules: [`locales/${language}.po`],
    state: { ...brand, language, rendered: false },
  };
}

/** A page that the browser renders. */
function shell(request: PageRequest, frame: ReturnType<typeof frameOf>, status: 200 | 500): RenderedPage {
  const url = new URL(request.url, request.origin);
  const texts = { title: request.brand.theme.name, robots: 'noindex' };
  const body = request.notice === undefined ? '' : renderToString(<p>{request.notice}</p>);
  return { ...frame, status, head: headMarkup({ ...request, url, ...texts }), body };
}

/** What the page is about, from the data that it was rendered from. */
function subjectOf(queryClient: QueryClient, { pathname }: URL, language: Language): PageSubject | undefined {
  const page = findPathRow(pathname)?.page;
  if (page === 'home') return { kind: 'shop' };
  if (page !== 'pricing' && page !== 'plan') return undefined;
  const plans = queryClient.getQueryData(q(listPlans, { query: { language } }).queryKey)?.plans ?? [];
  if (page === 'pricing') return { kind: 'plans', plans };
  const id = pathname.split('/')[2];
  // a plan that is no longer sold is not in the list
  return { kind: 'plans', plans: plans.filter((plan) => plan.id === id) };
}

/** The server has no such record (`pageNotFound`), so the visitor is redirected to /404. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.entry?.policy === 'notFound';
}

/** The page /500 opened by hand is no server error: it answers 200 and is not indexed. */
function statusOf(pathname: string): 200 | 404 {
  const page = matchPath(pathname);
  return !page || page === '/404' ? 404 : 200;
}

/** The file of a route; the build finds its lazy chunks by it. */
function routeModule(routeId: string): string {
  return `src/web/routes${routeId.endsWith('/') ? `${routeId}index` : routeId}.tsx`;
}
