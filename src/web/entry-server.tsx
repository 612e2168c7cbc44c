import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import type { PageRequest, RenderedPage } from '#contract/page.ts';
import type { Language } from '#contract/fields.ts';
import { findPathRow, matchPath } from '#contract/paths.ts';
import { currencyList, listPlans } from '#contract/plan.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { Providers } from '#web/app/boot.tsx';
import { createAppRouter } from '#web/app/router.tsx';
import { brandCss } from '#web/platform/brand/tokens.ts';
import { headMarkup, type PageSubject } from '#web/platform/brand/head-markup.ts';
import { headOf } from '#web/platform/brand/sync-head.ts';
import { createI18n } from '#web/platform/i18n/active.ts';
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
  if (!request.render || arrival.redirect) return shell(request, await withPublicData(request, frame), 200);
  const { brand, language } = request;
  const { messages, siteConfig } = brand;
  const i18n = createI18n(language, serverCatalogs[language], { messages, timeZone: siteConfig.timeZone });
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

/** A page that the browser renders. That of a customer names what its route needs, so that one round trip loads it. */
function shell(request: PageRequest, frame: ReturnType<typeof frameOf>, status: 200 | 500): RenderedPage {
  const url = new URL(request.url, request.origin);
  const modules =
    findPathRow(url.pathname)?.kind === 'app' ? [...frame.modules, ...customerModules(request)] : frame.modules;
  const texts = { title: request.brand.theme.name, robots: 'noindex' };
  const body = request.notice === undefined ? '' : renderToString(<p>{request.notice}</p>);
  return { ...frame, modules, status, head: headMarkup({ ...request, url, ...texts }), body };
}

/** What every page of a customer loads, and the files of its route. */
function customerModules({ url, language, brand }: PageRequest): string[] {
  const context = { queryClient: new QueryClient(), i18n: createI18n(language, {}), brand };
  const router = createAppRouter(context, createMemoryHistory({ initialEntries: [url] }));
  return [
    'src/web/app/open-copies.ts',
    'src/web/platform/api/send.ts',
    `locales/private/${language}.po`,
    ...router.matchRoutes(router.latestLocation).map(({ routeId }: { routeId: string }) => routeModule(routeId)),
  ];
}

/** What most pages of a customer read and is the same for everybody: a call less for each. They load what fails. */
async function withPublicData({ url, origin, call }: PageRequest, frame: ReturnType<typeof frameOf>) {
  if (findPathRow(new URL(url, origin).pathname)?.kind !== 'app') return frame;
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  installServerCall(queryClient, call);
  await Promise.all([queryClient.prefetchQuery(q(currencyList)), queryClient.prefetchQuery(supportPhoneQuery)]);
  return { ...frame, state: { ...frame.state, queries: dehydrate(queryClient) } };
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
