import { loadApiClient } from '#web/platform/api/client.ts';
import { refreshWording } from '#web/platform/api/wording.ts';
import { startAnalytics } from '#web/platform/analytics/start-analytics.ts';
import { watchOtherTabs } from '#web/domain/auth/other-tabs.ts';
import type { Started } from './boot.tsx';
import { preloadSeen } from './preload-seen.ts';
import { followTheme } from '#web/platform/brand/theme.ts';
import type { AppRouter } from './router.tsx';
import { followManifest } from '#web/platform/brand/manifest-link.ts';
import { activeLanguage } from '#web/platform/i18n/active.ts';
import { followLaunches } from '#web/domain/notifications/install/follow-launches.ts';
import { followPayments } from '#web/platform/pwa/badge.ts';
import { followInstallPrompt } from '#web/platform/pwa/install-prompt.ts';
import { installWorker } from '#web/platform/pwa/register.ts';
import { finishRemoval } from '#web/platform/session/storage/stored-async.ts';

/**
 * Starts what no page waits for, in one chunk: changed messages, other tabs, app features, the progress bar, analytics.
 */
export function startLater({ router, context }: Started): void {
  void loadApiClient();
  void finishRemoval();
  void refreshWording();
  watchOtherTabs(context.queryClient);
  followTheme();
  startInstalled(router);
  showMoving(router);
  preloadSeen(router);
  startAnalytics(router);
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
export function startInstalled(router: AppRouter): void {
  followInstallPrompt();
  followManifest();
  followPayments();
  followLaunches((path) => void router.navigate({ href: path }));
  installWorker(activeLanguage);
}
