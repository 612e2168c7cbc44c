import { countdownConfig } from '#contract/session.ts';
import { matchPath, paths, type PageName } from '#contract/paths.ts';
import { countedBrandKey } from '#web/platform/session/storage/analytics-key.ts';
import { trackPage } from './events.ts';
import { call } from '#web/platform/api/client.ts';
import { startFingerprint } from '#web/platform/api/fingerprint.ts';
import { startQueue } from './queue.ts';

/** As much of the router as counting needs. */
interface Navigation {
  readonly state: { readonly location: { readonly pathname: string } };
  subscribe(event: 'onResolved', listener: () => void): () => void;
}

/** A page is painted before it is counted: noting its window makes a browser lay it out on the spot. In milliseconds. */
const paintMs = 100;

/** Counts pages and their lengths from now on. Loaded when the phone is idle; no page waits for it. */
export function startAnalytics(router: Navigation): void {
  startFingerprint();
  startQueue();
  if (countedBrandKey.get() === undefined) void askForBrand();
  let page: PageName | undefined;
  let leave: (() => void) | undefined;
  const look = () => {
    const next = pageOf(router.state.location.pathname);
    if (next === page) return;
    leave?.();
    page = next;
    leave = trackPage(next);
  };
  look();
  router.subscribe('onResolved', () => setTimeout(look, paintMs));
  // A phone may drop a hidden page without a word, so hiding it counts as leaving it.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leave?.();
    leave = document.hidden ? undefined : page && trackPage(page);
  });
}

/** Once for a visit: what is counted before the answer goes without it. */
async function askForBrand(): Promise<void> {
  try {
    countedBrandKey.set((await call(countdownConfig, {}, { quiet: true })).brandId);
  } catch (error) {
    console.info('Events are counted without the id of the brand.', error);
  }
}

/** The name of the page at an address; never the address itself. */
export function pageOf(pathname: string): PageName {
  const pattern = matchPath(pathname);
  const row = pattern && paths[pattern];
  return row && 'page' in row ? row.page : 'not-found';
}
