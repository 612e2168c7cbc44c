import { msg } from '@lingui/core/macro';
import { activeI18n } from '#web/platform/i18n/active.ts';
import { ensureWords } from '#web/platform/i18n/catalogs.ts';
import { isBusy } from '#web/platform/session/busy.ts';
import { showToast } from '#web/ui/toast-store.ts';
import { launchOf, type Launch } from './launch-target.ts';

interface LaunchParams {
  readonly targetURL?: string | null;
}

/** Chromium's so far, and not in TypeScript's DOM. */
interface Launching {
  readonly launchQueue?: { setConsumer(consumer: (params: LaunchParams) => void): void };
}

/** Leads to what a shortcut or a link wants of the app that is open already. `open` shows a page of ours. */
export function followLaunches(open: (path: string) => void): void {
  const { launchQueue } = window as Window & Launching; // see `Launching`
  const loadedBy = performance.getEntriesByType('navigation')[0]?.name ?? '';
  let isFirst = true;
  launchQueue?.setConsumer(({ targetURL }) => {
    if (!targetURL) return;
    const launch = launchOf(targetURL, { here: location.href, loadedBy, isFirst, isBusy: isBusy() });
    isFirst = false;
    perform(launch, open);
  });
}

function perform(launch: Launch, open: (path: string) => void): void {
  if (launch.act === 'open') open(launch.path);
  else if (launch.act === 'load') location.assign(launch.address);
  else if (launch.act === 'tell') void tell();
}

async function tell(): Promise<void> {
  await ensureWords('private');
  const text = activeI18n()._(msg`Finish what you have begun here first, and open the other page then.`);
  showToast({ tone: 'info', text });
}
