import { requestTimeoutMs } from '#contract/limits.ts';
import { isBusy } from '#web/platform/session/busy.ts';
import { getStorageArea } from '#web/platform/session/storage/area.ts';
import {
  isOffline,
  onReconnect,
  recordNetworkFailure,
  serverAnswers,
} from '#web/platform/api/network/network-state.ts';

/**
 * After a deploy an open page may request a chunk that no longer exists. A reload brings the new build. It happens once
 * for each build and never while input or a payment would be lost; otherwise the error page with its own Retry shows.
 */
const stampKey = 'marquee.reloadedBuilds';

/**
 * Prefixed to the browser's message, so that the router does not recognise it: the router reloads by itself, busy or
 * not.
 */
const missing = 'A part of the page is missing: ';

/** Whether an error means that a chunk could not be loaded. */
export const isMissingChunk = (error: unknown): boolean => error instanceof Error && error.message.startsWith(missing);

/**
 * Loads a part that no page waits for. A missing chunk is no fault: `onMissingChunk` reloads the page, or the device is
 * offline, and the part is loaded when the server is reachable again.
 */
export function loadInBackground<Part>(load: () => Promise<Part>, start: (part: Part) => void): void {
  void load().then(start, (error: unknown) => {
    if (!isMissingChunk(error)) throw error;
    const stop = onReconnect(() => {
      stop();
      loadInBackground(load, start);
    });
  });
}

interface ReloadSituation {
  /** identifies the build that the page runs */
  readonly build: string;
  /** builds that this tab has already left by a reload */
  readonly reloaded: readonly string[];
  readonly busy: boolean;
  readonly offline: boolean;
  /** a navigation to another document is in progress */
  readonly leaving: boolean;
}

/**
 * Offline, a reload would replace the page by the browser's error page. A page that is being left aborts its own
 * requests, so a chunk may be missing for that reason alone, and a reload would cancel the navigation.
 */
export function mayReload({ build, reloaded, busy, offline, leaving }: ReloadSituation): boolean {
  return !busy && !offline && !leaving && !reloaded.includes(build);
}

/** When the last navigation to another document began, in milliseconds of `performance.now()`. */
let leftAt = Number.NEGATIVE_INFINITY;

/** Engines without the Navigation API (before Chrome 102) reload also during a navigation. */
function watchLeaving(): void {
  // missing in some engines, although the types declare it
  const { navigation } = window as Partial<Pick<Window, 'navigation'>>;
  navigation?.addEventListener('navigate', ({ destination, downloadRequest }) => {
    // older engines leave out `downloadRequest` where nothing is downloaded
    if (!destination.sameDocument && typeof downloadRequest !== 'string') leftAt = performance.now();
  });
  // the page was restored from the back/forward cache
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) leftAt = Number.NEGATIVE_INFINITY;
  });
}

/** A navigation that takes longer than a request may take has failed. */
const isLeaving = () => performance.now() - leftAt < requestTimeoutMs;

/** The entry script's name contains a hash of the build. */
const currentBuild = () =>
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.origin;

/** From `sessionStorage`, or where that is forbidden from the history entry, which survives a reload too. */
function reloadedBuilds(): readonly string[] {
  const entry = stateOfEntry()[stampKey];
  const stamp = getStorageArea('session')?.getItem(stampKey) ?? entry;
  return typeof stamp === 'string' ? stamp.split('\n').filter(Boolean) : [];
}

function recordReload(builds: readonly string[]): void {
  const stamp = builds.join('\n');
  if (getStorageArea('session')?.setItem(stampKey, stamp)) return;
  history.replaceState({ ...stateOfEntry(), [stampKey]: stamp }, '');
}

function stateOfEntry(): Record<string, unknown> {
  const state: unknown = history.state;
  return state instanceof Object ? Object.fromEntries(Object.entries(state)) : {};
}

async function onMissingChunk({ payload }: VitePreloadErrorEvent): Promise<void> {
  payload.message = missing + payload.message;
  // a chunk can also be missing because the device is offline
  const offline = isOffline() || !(await serverAnswers());
  if (offline) recordNetworkFailure();
  const build = currentBuild();
  const reloaded = reloadedBuilds();
  if (!mayReload({ build, reloaded, busy: isBusy(), offline, leaving: isLeaving() })) return;
  recordReload([...reloaded, build]);
  location.reload();
}

/** Call once, before the router loads its first route. */
export function installChunkReload(): void {
  watchLeaving();
  window.addEventListener('vite:preloadError', (event) => void onMissingChunk(event));
}
