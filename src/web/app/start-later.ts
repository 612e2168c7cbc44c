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

/** What no page waits for, in one file: words that have changed, other tabs, what an app has, the sign that a page is coming, analytics. */
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

/** How long a page may take to come before it is seen to be on its way, in milliseconds. */
const signAfterMs = 300;

/** A page that takes its time to come is seen to be on its way (`tokens.css`); for the first one the browser has a sign. */
function showMoving(router: AppRouter): void {
  const { dataset } = document.documentElement;
  let sign: ReturnType<typeof setTimeout> | undefined;
  router.subscribe('onBeforeLoad', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    clearTimeout(sign);
    // by a timer, not by an animation that waits: the styles of the whole page would be asked for it twice within each tap
    sign = setTimeout(() => (dataset['moving'] = ''), signAfterMs);
  });
  router.subscribe('onResolved', () => {
    clearTimeout(sign);
    delete dataset['moving'];
  });
}

/** What makes an app of the page, where the browser can: to be installed, to work without a network, to be opened again. */
export function startInstalled(router: AppRouter): void {
  followInstallPrompt();
  followManifest();
  followPayments();
  followLaunches((path) => void router.navigate({ href: path }));
  installWorker(activeLanguage);
}
