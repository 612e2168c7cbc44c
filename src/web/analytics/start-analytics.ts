import { pageIds, type PageName } from '../../contract/analytics.ts';
import { countdownConfig } from '../../contract/auth.ts';
import { matchPath, paths } from '../../contract/paths.ts';
import { knowBrand, trackPage } from './events.ts';
import { call } from '../api/client.ts';
import { startFingerprint } from './fingerprint.ts';
import { startQueue } from './queue.ts';

/** As much of the router as counting needs. */
interface Navigation {
  readonly state: { readonly location: { readonly pathname: string } };
  subscribe(event: 'onResolved', listener: () => void): () => void;
}

const steps = ['payment-step', 'payment-redirect', 'paynow-tips'] satisfies PageName[];
const unnumbered = new Set<string>([...steps, 'device', 'notice', 'not-found', 'error'] satisfies PageName[]);

/** Counts pages and their lengths from now on. Loaded when the phone is idle; no page waits for it. */
export function startAnalytics(router: Navigation): void {
  startFingerprint();
  startQueue();
  call(countdownConfig, {}, { quiet: true }).then(
    (config) => knowBrand(config.brandId),
    (error: unknown) => console.info('Events are counted without the id of the brand.', error),
  );
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
  router.subscribe('onResolved', look);
  // A phone may drop a hidden page without a word, so hiding it counts as leaving it.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leave?.();
    leave = document.hidden ? undefined : page && trackPage(page);
  });
}

/** The name of the page at an address; never the address itself. */
export function pageOf(pathname: string): PageName {
  const pattern = matchPath(pathname);
  const row = pattern && paths[pattern];
  const name = row && 'page' in row ? row.page : 'not-found';
  return isPageName(name) ? name : 'not-found';
}

function isPageName(name: string): name is PageName {
  return Object.hasOwn(pageIds, name) || unnumbered.has(name);
}
