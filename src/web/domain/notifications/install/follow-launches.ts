import { msg } from '@lingui/core/macro';
import { activeI18n } from '#web/platform/i18n/active.ts';
import { loadMessages } from '#web/platform/i18n/catalogs.ts';
import { isBusy } from '#web/platform/session/busy.ts';
import { showToast } from '#web/ui/toast-store.ts';

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
    const launch = decideLaunch(targetURL, { here: location.href, loadedBy, isFirst, isBusy: isBusy() });
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
  await loadMessages('private');
  const text = activeI18n()._(msg`Finish what you started here, then open the other page.`);
  showToast({ tone: 'info', text });
}

export interface Circumstances {
  /** the current address */
  readonly here: string;
  /** the address that the document was loaded by; a first launch reports it again */
  readonly loadedBy: string;
  readonly isFirst: boolean;
  /** leaving would lose something: a payment in progress or typed text */
  readonly isBusy: boolean;
}

type Launch =
  /** bring the app to the front only */
  | { readonly act: 'stay' }
  /** inform the customer, because something is in progress */
  | { readonly act: 'tell' }
  /** navigate to a page without parameters to read */
  | { readonly act: 'open'; readonly path: string }
  /** a link with parameters, which are read when a page is loaded */
  | { readonly act: 'load'; readonly address: string };

/**
 * What a launch of the installed app does while it is open (W3C Web App Launch Handler, `focus-existing`). The icon
 * only brings the app to the front; a shortcut or link navigates, unless something would be lost.
 */
export function decideLaunch(target: string, { here, loadedBy, isFirst, isBusy }: Circumstances): Launch {
  const to = new URL(target, here);
  const at = new URL(here);
  const isOwn = to.origin === at.origin;
  const isIcon = to.pathname === '/' && to.search === '' && to.hash === '';
  if (!isOwn || isIcon || to.href === at.href || (isFirst && to.href === loadedBy)) return { act: 'stay' };
  if (isBusy) return { act: 'tell' };
  return to.search === '' && to.hash === '' ? { act: 'open', path: to.pathname } : { act: 'load', address: to.href };
}
