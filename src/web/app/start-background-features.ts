import { loadApiClient } from '#web/platform/api/client.ts';
import { refreshWording } from '#web/platform/api/wording.ts';
import { startAnalytics } from '#web/platform/analytics/start-analytics.ts';
import { watchOtherTabs } from '#web/domain/auth/other-tabs.ts';
import type { StartedApp } from './boot.tsx';
import type { AppRouter } from './router.tsx';
import { followTheme, followManifest } from '#web/platform/brand/theme.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { followLaunches } from '#web/domain/notifications/install/follow-launches.ts';
import { followPayments } from '#web/platform/pwa/badge.ts';
import { followInstallPrompt } from '#web/platform/pwa/install-prompt.ts';
import { loadInBackground } from '#web/platform/pwa/chunk-reload.ts';
import { installWorker } from '#web/platform/pwa/register.ts';
import { finishRemoval } from '#web/platform/session/storage/stored-async.ts';
import { findPathRow, matchPath } from '#contract/paths.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

/**
 * Starts what no page waits for, in one chunk: changed messages, other tabs, app features, the progress bar, analytics.
 */
export function startBackgroundFeatures({ router, context }: StartedApp): void {
  loadInBackground(loadApiClient, () => undefined);
  void finishRemoval();
  void refreshWording();
  watchOtherTabs(context.queryClient);
  followTheme();
  startInstalled(router);
  showMoving(router);
  preloadVisibleLinks(router);
  startAnalytics(router);
  sampleVitals(context.brand.siteConfig.webVitals);
}

/** Measures the web vitals of the brand's share of page loads. */
function sampleVitals(share = 0): void {
  const route = matchPath(location.pathname);
  if (route === undefined || Math.random() >= share || savesTraffic()) return;
  loadInBackground(
    () => import('#web/platform/analytics/web-vitals.ts'),
    ({ reportVitals }) => reportVitals(route),
  );
}

/** The delay before a navigation shows the progress bar, in milliseconds. */
const signAfterMs = 300;

/** Shows a progress bar (`tokens.css`) during a slow navigation; the first page has the browser's own indicator. */
function showMoving(router: AppRouter): void {
  const { dataset } = document.documentElement;
  let sign: ReturnType<typeof setTimeout> | undefined;
  router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    clearTimeout(sign);
    // a timer instead of an animation delay: that would recalculate the styles of the whole page twice at each tap
    sign = setTimeout(() => (dataset['moving'] = ''), signAfterMs);
  });
  router.subscribe('onResolved', () => {
    clearTimeout(sign);
    delete dataset['moving'];
  });
}

/** Starts the app features that the browser supports: installing, working offline, being launched again. */
function startInstalled(router: AppRouter): void {
  followInstallPrompt();
  followManifest();
  followPayments();
  followLaunches((path) => void router.navigate({ href: path }));
  installWorker(activeLanguage);
}

/** How many pages are preloaded from each page: the first visible ones in document order. */
const maxPages = 3;
const delayMs = 300;

interface Connection {
  readonly saveData?: boolean;
  /** Network Information: `slow-2g`, `2g`, `3g`, `4g` */
  readonly effectiveType?: string;
}

/** Whether the visitor saves data or has a very slow connection; then nothing is preloaded. */
function savesTraffic(): boolean {
  const { connection } = navigator as { readonly connection?: Connection }; // as: missing in some engines and in the types
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}

/**
 * Preloads the pages of visible links when the page is idle; other pages are loaded on intent (`defaultPreload`).
 * Public pages only, because pages of a customer would send requests for personal data.
 */
function preloadVisibleLinks(router: AppRouter): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => whenIdle(() => (isFullyHydrated() ? preload(router) : schedule())), delayMs);
  };
  router.subscribe('onResolved', schedule);
  addEventListener('scroll', schedule, { passive: true });
  schedule();
}

/**
 * Whether every part is hydrated: the messages of another page would make React render a waiting part again, which then
 * disappears for a moment.
 */
const isFullyHydrated = () => document.querySelector('button[data-waiting]') === null;

function preload(router: AppRouter): void {
  if (savesTraffic() || document.visibilityState === 'hidden') return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/"]')].filter(inView);
  const targets = new Set(links.filter(leadsToPage).map(({ pathname }) => pathname));
  targets.delete(location.pathname);
  for (const to of [...targets].slice(0, maxPages)) {
    // A failed preload is repeated by the tap.
    void router.preloadRoute({ to }).catch(() => undefined);
  }
}

function leadsToPage({ pathname, search }: HTMLAnchorElement): boolean {
  return search === '' && findPathRow(pathname)?.kind === 'page';
}

function inView(link: HTMLAnchorElement): boolean {
  const { top, bottom, height } = link.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}
