import { Workbox } from 'workbox-window';
import type { Language } from '#contract/fields.ts';
import type { SavedState, WorkerMessage } from '#contract/worker-messages.ts';
import { shellPath, workerHeader, workerOffCacheName, workerPath } from '#contract/worker.ts';
import { deleteCache, hasCache } from '#web/platform/session/storage/answer-caches.ts';
import { parseJson } from '#web/platform/session/storage/stored.ts';
import { withinLimit } from '#web/platform/session/storage/time-limit.ts';
import { workerContainer, workerRegistration } from '#web/platform/session/storage/worker-registration.ts';
import { onReconnect, hasDataSaver } from '#web/platform/api/network/network-state.ts';
import { offerUpdate, answerOtherTabs } from './update-offer-store.ts';
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

/**
 * Under `require-trusted-types-for 'script'` the worker's URL must come from a named policy. This policy allows one
 * URL.
 */
function trustedWorkerUrl(path: string): string {
  // TypeScript's DOM types lack Trusted Types; a TrustedScriptURL is accepted wherever the URL is expected
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

/** How often an open page checks for a new build, in milliseconds. */
const updateEveryMs = 60 * 60 * 1000;

let current: Workbox | undefined;

const supported = () =>
  import.meta.env.PROD &&
  window.isSecureContext &&
  workerContainer() !== undefined &&
  // [Note: Worker off]
  document.documentElement.dataset['worker'] !== 'off';

/** Has the worker cache the brand's content in `language` for offline use, unless the customer saves data. */
export function precacheForOffline(language: Language): void {
  if (current && !hasDataSaver()) void postToWorker({ type: 'KEEP', language });
}

/**
 * Sends the brand in the server's page to the worker, for its offline page. A page that the browser renders has none.
 */
function sendBrand(): void {
  const pageState = document.getElementById('page-state')?.textContent;
  // as: the worker validates the fields that it uses
  if (pageState) void postToWorker({ type: 'BRAND', brand: parseJson(pageState) as SavedState });
}

/**
 * How long the page waits for the new worker, in milliseconds. It reloads after that in any case: the server's page
 * belongs to the new build.
 */
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
 * Another tab applied the update: this tab still runs the old build, whose files are gone, so the update is offered
 * here too. A page that gets its first worker is not out of date.
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
  let checkedAt = Date.now();
  const checkForUpdate = () => {
    if (document.hidden || Date.now() - checkedAt < updateEveryMs) return;
    checkedAt = Date.now();
    // a failed check is repeated an hour later
    worker.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', checkForUpdate);
  onReconnect(checkForUpdate);
}

/** Whether the worker was removed here and the server still sends `off` ([Note: Worker off]). */
async function isOff(): Promise<boolean> {
  if (!(await hasCache(workerOffCacheName))) return false;
  const { headers } = await fetch(shellPath, { method: 'HEAD', cache: 'no-store' });
  if (headers.get(workerHeader) === 'off') return true;
  await deleteCache(workerOffCacheName);
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
  // on the first visit no worker receives messages before the installation has ended
  await workerContainer()?.ready;
  sendBrand();
  precacheForOffline(language());
}

/**
 * Starts the service worker when the page is idle, only in a built storefront on a secure origin. Call once after
 * hydration; `language` is read when the worker is ready. The storefront also works without a worker, so a refusal of
 * the browser (private windows, full disks) or a connection loss is no fault; the next page tries again.
 */
export function installWorker(language: () => Language): void {
  if (!supported()) return;
  answerOtherTabs();
  persistStorageWhenInstalled();
  whenIdle(() => {
    register(language).catch((error: unknown) => {
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    });
  });
}

/**
 * Requests persistent storage once the app is installed, because an installed app has to work offline also when the
 * disk is full. The browser may show a permission prompt for this, so other visitors never cause it.
 */
function persistStorageWhenInstalled(): void {
  if (matchMedia('(display-mode: standalone)').matches) void requestPersistence();
  window.addEventListener('appinstalled', () => void requestPersistence());
}

async function requestPersistence(): Promise<void> {
  try {
    // `storage` is missing on an insecure origin, and `persist` in some browsers above the floor
    const storage: Partial<StorageManager> | undefined = navigator.storage;
    if (!storage?.persist || (await storage.persisted?.())) return;
    console.info('Whether saved copies are kept when the disk is full:', await storage.persist());
  } catch (error) {
    console.info('The browser does not say whether saved copies are kept.', error);
  }
}

/** Sends a message to the active service worker; does nothing without an active worker. */
async function postToWorker(message: WorkerMessage): Promise<void> {
  const registration = await workerRegistration();
  registration?.active?.postMessage(message);
}

/** Removes the customer's data from the worker's caches, after logout. */
export async function wipeWorkerCaches(): Promise<void> {
  await postToWorker({ type: 'WIPE' });
}
