import { Workbox } from 'workbox-window';
import type { Language } from '#contract/fields.ts';
import type { SavedState } from '#contract/worker-messages.ts';
import { shellPath, workerHeader, workerOffMark, workerPath } from '#contract/worker.ts';
import { deleteCache, hasCache } from '#web/platform/session/storage/answer-caches.ts';
import { parseJson } from '#web/platform/session/storage/stored.ts';
import { withinLimit } from '#web/platform/session/storage/time-limit.ts';
import { workerContainer } from '#web/platform/session/storage/worker-registration.ts';
import { answerOtherTabs } from './busy-tabs.ts';
import { onBack, savesData } from '#web/platform/api/network/network-state.ts';
import { postToWorker } from './post-to-worker.ts';
import { offerUpdate } from './update-offer-store.ts';
import { whenIdle } from '#web/platform/entry/engine/when-idle.ts';

interface UrlPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: UrlPolicy): UrlPolicy;
}

/** The name that the server's Content-Security-Policy allows: `trusted-types marquee-sw`. */
const policyName = 'marquee-sw';

let policy: UrlPolicy | undefined;

/** Under `require-trusted-types-for 'script'` a worker's address must come from a named policy; ours allows one. */
function trustedWorkerUrl(path: string): string {
  // Trusted Types are not in TypeScript's DOM yet; a TrustedScriptURL stands wherever the address is expected
  const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return path;
  policy ??= trustedTypes.createPolicy(policyName, {
    createScriptURL: (url) => {
      if (url !== path) throw new TypeError(`Only ${path} may become a worker`);
      return url;
    },
  });
  return policy.createScriptURL(path);
}

/** How often a page that stays open looks for a new build, in milliseconds. */
const updateEveryMs = 60 * 60 * 1000;

let current: Workbox | undefined;

const supported = () =>
  import.meta.env.PROD &&
  window.isSecureContext &&
  workerContainer() !== undefined &&
  // [Note: Worker off]
  document.documentElement.dataset['worker'] !== 'off';

/** Asks the worker for copies of what the brand says in `language` ([Note: Copies for later]). */
export function precacheForOffline(language: Language): void {
  if (current && !savesData()) void postToWorker({ type: 'KEEP', language });
}

/** Tells the worker what the server has just said about the brand ([Note: Kept shell]); only a page of the server knows. */
function tellBrand(): void {
  const said = document.getElementById('page-state')?.textContent;
  // the worker takes of it what fits, and nothing else
  if (said) void postToWorker({ type: 'BRAND', brand: parseJson(said) as SavedState });
}

/** How long the page waits for the new worker, in milliseconds; the server's page is of the new build without it, too. */
const takeOverMs = 3000;

async function reloadWithNewWorker(worker: Workbox): Promise<void> {
  const hasTakenOver = new Promise<unknown>((resolve) =>
    workerContainer()?.addEventListener('controllerchange', resolve, { once: true }),
  );
  worker.messageSkipWaiting();
  await withinLimit(() => hasTakenOver, takeOverMs);
  location.reload();
}

/**
 * Another tab accepted the update: this one still runs the old build, whose files are gone, so it is offered too. A
 * page that had no worker and gets its first one is not out of date.
 */
function followOtherTabs(): void {
  const workers = workerContainer();
  let controlled = workers?.controller != null;
  workers?.addEventListener('controllerchange', () => {
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

/** Whether a worker was ended here, and the shop still has none ([Note: Worker off]). */
async function isOff(): Promise<boolean> {
  if (!(await hasCache(workerOffMark))) return false;
  const { headers } = await fetch(shellPath, { method: 'HEAD', cache: 'no-store' });
  if (headers.get(workerHeader) === 'off') return true;
  await deleteCache(workerOffMark);
  return false;
}

async function register(language: () => Language): Promise<void> {
  if (await isOff()) return;
  const worker = new Workbox(trustedWorkerUrl(workerPath));
  worker.addEventListener('waiting', () => offerUpdate(() => void reloadWithNewWorker(worker)));
  followOtherTabs();
  await worker.register({ immediate: true });
  current = worker;
  lookForUpdates(worker);
  // on the first visit nobody listens before the worker has installed itself
  await workerContainer()?.ready;
  tellBrand();
  precacheForOffline(language());
}

/**
 * Starts the service worker when the page is idle, in a built storefront on a secure origin only. Call once after
 * hydration; `language` is read when the worker is ready. A storefront without a worker works as well, so it is no fault
 * when the browser refuses (private windows, full disks) or the network is gone; it is tried again on the next page.
 */
export function installWorker(language: () => Language): void {
  if (!supported()) return;
  answerOtherTabs();
  keepStorageWhenInstalled();
  whenIdle(() => {
    register(language).catch((error: unknown) => {
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    });
  });
}

/**
 * Who has installed the shop means it to be there without network, so the browser is asked not to clear what it keeps
 * when the disk is full. It decides by itself, or asks the customer; before that nobody is asked.
 */
function keepStorageWhenInstalled(): void {
  if (matchMedia('(display-mode: standalone)').matches) void askToKeep();
  window.addEventListener('appinstalled', () => void askToKeep());
}

async function askToKeep(): Promise<void> {
  try {
    // no `storage` on an insecure origin, and no `persist` in some browsers of the floor
    const storage: Partial<StorageManager> | undefined = navigator.storage;
    if (!storage?.persist || (await storage.persisted?.())) return;
    console.info('Whether saved copies are kept when the disk is full:', await storage.persist());
  } catch (error) {
    console.info('The browser does not say whether saved copies are kept.', error);
  }
}
