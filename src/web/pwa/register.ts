import type { Workbox } from 'workbox-window';
import type { Language } from '../../contract/fields.ts';
import { workerPath } from '../../contract/worker.ts';
import { answerOtherTabs } from './busy-tabs.ts';
import { onBack } from './network-state.ts';
import { tellWorker } from './tell-worker.ts';
import { trustedWorkerUrl } from './trusted-worker-url.ts';
import { offerUpdate } from './update-offer-store.ts';

/** How often a page that stays open looks for a new build, in milliseconds. */
const updateEveryMs = 60 * 60 * 1000;

let current: Workbox | undefined;

const supported = () => import.meta.env.PROD && window.isSecureContext && 'serviceWorker' in navigator;

/** Runs `work` when the page has loaded and has nothing better to do. */
function whenIdle(work: () => void): void {
  const idle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(work, { timeout: 5000 }) : setTimeout(work, 200);
  if (document.readyState === 'complete') idle();
  else window.addEventListener('load', idle, { once: true });
}

/** Asks the worker for copies of what the brand says in `language` ([Note: Copies for later]). */
export function keepForLater(language: Language): void {
  if (current && !saveData()) void tellWorker({ type: 'KEEP', language });
}

/** The customer's wish to save data, where the browser tells it. */
function saveData(): boolean {
  // not in TypeScript's DOM yet
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

function reloadWithNewWorker(worker: Workbox): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  worker.messageSkipWaiting();
}

/**
 * Another tab accepted the update: this one still runs the old build, whose files are gone, so it is offered too. A
 * page that had no worker and gets its first one is not out of date.
 */
function followOtherTabs(): void {
  let controlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (controlled) offerUpdate(() => location.reload());
    controlled = true;
  });
}

function lookForUpdates(worker: Workbox): void {
  let lookedAt = Date.now();
  const look = () => {
    if (document.hidden || Date.now() - lookedAt < updateEveryMs) return;
    lookedAt = Date.now();
    // a failed look is repeated an hour later
    worker.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  onBack(look);
}

async function register(language: () => Language): Promise<void> {
  const { Workbox } = await import('workbox-window');
  const worker = new Workbox(trustedWorkerUrl(workerPath));
  worker.addEventListener('waiting', () => offerUpdate(() => reloadWithNewWorker(worker)));
  followOtherTabs();
  await worker.register({ immediate: true });
  current = worker;
  lookForUpdates(worker);
  // on the first visit nobody listens before the worker has installed itself
  await navigator.serviceWorker.ready;
  keepForLater(language());
}

/**
 * Starts the service worker when the page is idle, in a built storefront on a secure origin only. Call once after
 * hydration; `language` is read when the worker is ready. A storefront without a worker works as well, so it is no fault
 * when the browser refuses (private windows, full disks) or the network is gone; it is tried again on the next page.
 */
export function installWorker(language: () => Language): void {
  if (!supported()) return;
  answerOtherTabs();
  whenIdle(() => {
    register(language).catch((error: unknown) => {
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    });
  });
}
