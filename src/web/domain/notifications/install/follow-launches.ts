import { msg } from '@lingui/core/macro';
import { activeI18n } from '#web/platform/i18n/active.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { isBusy } from '#web/platform/session/busy.ts';
import { showToast } from '#web/ui/toast-store.ts';
import { launchOf, type Launch } from './launch-target.ts';

interface LaunchParams {
  readonly targetURL?: string | null;
}

/** Chromium only, and missing from TypeScript's DOM types. */
interface Launching {
  readonly launchQueue?: { setConsumer(consumer: (params: LaunchParams) => void): void };
}

/** Opens what a shortcut or link requests from the app that is already open. `open` navigates inside the storefront. */
export function followLaunches(open: (path: string) => void): void {
  const { launchQueue } = window as Window & Launching; // see `Launching`
  const loadedBy = performance.getEntriesByType('navigation')[0]?.name ?? '';
  let isFirst = true;
  launchQueue?.setConsumer(({ targetURL }) => {
    if (!targetURL) return;
    const launch = launchOf(targetURL, { here: location.href, loadedBy, isFirst, isBusy: isBusy() });
    isFirst = false;
    followLaunch(launch, open);
  });
}

function followLaunch(launch: Launch, open: (path: string) => void): void {
  if (launch.act === 'open') open(launch.path);
  else if (launch.act === 'load') location.assign(launch.address);
  else if (launch.act === 'tell') void showBusyMessage();
}

async function showBusyMessage(): Promise<void> {
  await ensureWords('private');
  const text = activeI18n()._(msg`Finish what you have begun here first, and open the other page then.`);
  showToast({ tone: 'info', text });
}
