import { countdownConfig } from '#contract/session.ts';
import { pageNameOf, type PageName } from '#contract/analytics.ts';
import { countedBrandKey } from '#web/platform/session/storage/analytics-key.ts';
import { trackPage, startQueue } from './events.ts';
import { call } from '#web/platform/api/client.ts';
import { startFingerprint } from '#web/platform/api/fingerprint.ts';

/** The part of the router that analytics need. */
interface Navigation {
  readonly state: { readonly location: { readonly pathname: string } };
  subscribe(event: 'onResolved', listener: () => void): () => void;
}

/** Delay in milliseconds until a page view is recorded, after paint: reading the window's size forces a layout. */
const paintMs = 100;

/** Records page views and their durations from now on. Loaded when the page is idle; no page waits for it. */
export function startAnalytics(router: Navigation): void {
  startFingerprint();
  startQueue();
  if (countedBrandKey.get() === undefined) void loadBrandId();
  let page: PageName | undefined;
  let leave: (() => void) | undefined;
  const recordPage = () => {
    const next = pageNameOf(router.state.location.pathname);
    if (next === page) return;
    leave?.();
    page = next;
    leave = trackPage(next);
  };
  recordPage();
  router.subscribe('onResolved', () => setTimeout(recordPage, paintMs));
  // A phone may discard a hidden page without an event, so hiding counts as leaving.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leave?.();
    leave = document.hidden ? undefined : page && trackPage(page);
  });
}

/** Once per visit: events before the answer have no brand id. */
async function loadBrandId(): Promise<void> {
  try {
    countedBrandKey.set((await call(countdownConfig, {}, { quiet: true })).brandId);
  } catch (error) {
    console.info('Events are counted without the id of the brand.', error);
  }
}
