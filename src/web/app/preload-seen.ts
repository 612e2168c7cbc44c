import { rowOf } from '#contract/paths.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';
import type { AppRouter } from './router.tsx';

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
export function preloadSeen(router: AppRouter): void {
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
  return search === '' && rowOf(pathname)?.kind === 'page';
}

function inView(link: HTMLAnchorElement): boolean {
  const { top, bottom, height } = link.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}
