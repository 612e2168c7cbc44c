import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { dehydrate, QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { pageNameOf } from '#contract/analytics.ts';
import type { PageRequest, RenderedPage } from '#contract/page.ts';
import type { Language } from '#contract/fields.ts';
import { findPathRow, matchPath } from '#contract/paths.ts';
import { currencyList, listPlans } from '#contract/plan.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { q } from '#web/platform/api/query.ts';
import { supportPhoneQuery } from '#web/domain/account/support-phone.ts';
import { Providers } from '#web/app/boot.tsx';
import { createAppRouter, type AppRouter } from '#web/app/router.tsx';
import type { RouterContext } from '#web/platform/api/router-context.ts';
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
  const { brand, language } = request;
  const isOfCustomer = !request.render && hasCommonPart(url);
  // A link with entry parameters redirects once the browser has read them; the server must not pass its secrets on.
  if (arrival.redirect || !(request.render || isOfCustomer))
    return shell(request, await withPublicData(request, frame), 200);
  const { messages, siteConfig } = brand;
  const i18n = createI18n(language, serverCatalogs[language], siteConfig.timeZone, messages);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  installServerCall(queryClient, request.call);
  if (isOfCustomer) await prefetchPublicData(queryClient);
  const router = createAppRouter({ queryClient, i18n, brand }, createMemoryHistory({ initialEntries: [request.url] }));
  await router.load();
  const result = router._serverResult;
  if (result?.type === 'redirect') return { redirect: result.redirect.headers.get('Location') ?? '/' };
  const failed = router.state.matches.find((match) => match.status === 'error');
  // A failure here may succeed in the browser, which could not hydrate a page that shows an error.
  if (failed) return isGone(failed.error) ? { redirect: '/404' } : shell(request, frame, isOfCustomer ? 200 : 500);
  await lazyPartsReady();
  return {
    ...frame,
    status: statusOf(url.pathname),
    head: headMarkup({ ...request, url, ...headOf(router), subject: subjectOf(queryClient, url, language) }),
    body: bodyOf(router, { queryClient, i18n, brand }),
    modules: [
      ...frame.modules,
      ...(isOfCustomer ? customerModules(language) : []),
      ...routeModules(router.state.matches),
    ],
    state: { ...frame.state, rendered: request.render, queries: dehydrate(queryClient) },
  };
}

const bodyOf = (router: AppRouter, context: RouterContext): string =>
  renderToString(
    <StrictMode>
      <Providers {...context}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );

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
  const modules = findPathRow(url.pathname)?.kind === 'app' ? [...frame.modules, ...modulesOf(request)] : frame.modules;
  const texts = { title: request.brand.theme.name, robots: 'noindex' };
  return { ...frame, modules, status, head: headMarkup({ ...request, url, ...texts }), body: '' };
}

/** What every page of a customer loads, and the files of its route. */
function modulesOf({ url, language, brand }: PageRequest): string[] {
  const context = { queryClient: new QueryClient(), i18n: createI18n(language, {}), brand };
  const router = createAppRouter(context, createMemoryHistory({ initialEntries: [url] }));
  return [...customerModules(language), ...routeModules(router.matchRoutes(router.latestLocation))];
}

const customerModules = (language: Language): string[] => [
  'src/web/app/open-copies.ts',
  'src/web/platform/api/send.ts',
  `locales/private/${language}.po`,
];

/**
 * Whether a customer's page is rendered as it is for everybody, with a placeholder for the customer's data. It is shown
 * while the scripts load, and then replaced.
 */
function hasCommonPart({ pathname }: URL): boolean {
  const row = findPathRow(pathname);
  return row?.kind === 'app' && row.layout === 'main';
}

async function withPublicData({ url, origin, call }: PageRequest, frame: ReturnType<typeof frameOf>) {
  if (findPathRow(new URL(url, origin).pathname)?.kind !== 'app') return frame;
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  installServerCall(queryClient, call);
  await prefetchPublicData(queryClient);
  return { ...frame, state: { ...frame.state, queries: dehydrate(queryClient) } };
}

/** What most pages of a customer read and is the same for everybody: a call less for each. They load what fails. */
async function prefetchPublicData(client: QueryClient): Promise<void> {
  await Promise.all([client.prefetchQuery(q(currencyList)), client.prefetchQuery(supportPhoneQuery)]);
}

/** What the page is about, from the data that it was rendered from. */
function subjectOf(queryClient: QueryClient, { pathname }: URL, language: Language): PageSubject | undefined {
  const page = pageNameOf(pathname);
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

/** The files of routes; the build finds their lazy chunks by them. */
function routeModules(matches: readonly { readonly routeId: string }[]): string[] {
  return matches.map(({ routeId }) => `src/web/routes${routeId.endsWith('/') ? `${routeId}index` : routeId}.tsx`);
}
