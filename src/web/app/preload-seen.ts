import { rowOf } from '#contract/paths.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';
import type { AppRouter } from './router.tsx';

/** How many pages are fetched ahead of each page: the nearest, in the order in which they stand there. */
const most = 3;
const delayMs = 300;

interface Connection {
  readonly saveData?: boolean;
  /** Network Information: `slow-2g`, `2g`, `3g`, `4g` */
  readonly effectiveType?: string;
}

/** Whoever pays by the megabyte, or hardly gets one through, fetches only what is tapped. */
function spares(): boolean {
  const { connection } = navigator as { readonly connection?: Connection }; // not in every engine, so not in its types
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}

/**
 * Fetches the pages that the links in view lead to, when nothing else is going on, so that they are there when they are
 * tapped; the rest is fetched when somebody is about to tap it (`defaultPreload`). Public pages only: those of a customer
 * would ask for what nobody has asked for yet.
 */
export function preloadSeen(router: AppRouter): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => whenIdle(() => (isWhole() ? preload(router) : look())), delayMs);
  };
  router.subscribe('onResolved', look);
  addEventListener('scroll', look, { passive: true });
  look();
}

/** Another page's words would make React draw anew, and for a moment not at all, a part that it has not taken over yet. */
const isWhole = () => document.querySelector('button[data-waiting]') === null;

function preload(router: AppRouter): void {
  if (spares() || document.visibilityState === 'hidden') return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="/"]')].filter(inView);
  const wanted = new Set(links.filter(leadsToPage).map(({ pathname }) => pathname));
  wanted.delete(location.pathname);
  for (const to of [...wanted].slice(0, most)) {
    // What fails now is fetched when it is tapped.
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
