import { requestTimeoutMs } from '#contract/limits.ts';
import { isBusy } from '#web/platform/session/busy.ts';
import { area } from '#web/platform/session/storage/area.ts';
import { isOffline, recordNetworkFailure, serverAnswers } from '#web/platform/api/network/network-state.ts';

/**
 * [Note: Missing chunk] After a deploy an open page may ask for a file that is no longer there. Loading the page again
 * brings the new build. That is done once for each build and never while something would be lost; otherwise the
 * error page shows, with its own Retry.
 */
const stampKey = 'marquee.reloadedBuilds';

/** Also says it to the router, which reloads by itself, busy or not, on the browser's own words for a missing module. */
const missing = 'A part of the page is missing: ';

/** Whether an error says that a part of the storefront could not be loaded. */
export const isMissingChunk = (error: unknown): boolean => error instanceof Error && error.message.startsWith(missing);

export interface ReloadSituation {
  /** names the build that the page runs */
  readonly build: string;
  /** builds that were already left by a reload in this tab */
  readonly reloaded: readonly string[];
  readonly busy: boolean;
  readonly offline: boolean;
  /** another page is on its way, to take the place of this one */
  readonly leaving: boolean;
}

/**
 * Without network a reload would trade a page with an error for no page at all. A page that is being left gives up what it
 * has asked for, so a part may be missing for that reason alone, and a reload would call the other page off.
 */
export function mayReload({ build, reloaded, busy, offline, leaving }: ReloadSituation): boolean {
  return !busy && !offline && !leaving && !reloaded.includes(build);
}

/** When a document was last asked for in place of this one, in milliseconds of `performance.now()`. */
let leftAt = Number.NEGATIVE_INFINITY;

/** Engines that cannot tell (before Chrome 102) reload, as they always did. */
function watchLeaving(): void {
  // not in every engine, as the types would have it
  const { navigation } = window as Partial<Pick<Window, 'navigation'>>;
  navigation?.addEventListener('navigate', ({ destination, downloadRequest }) => {
    // older engines leave out what is no download
    if (!destination.sameDocument && typeof downloadRequest !== 'string') leftAt = performance.now();
  });
  // kept for the Back button, and back; the first one may come when somebody is leaving already
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) leftAt = Number.NEGATIVE_INFINITY;
  });
}

/** A page that has not come by then does not come. */
const isLeaving = () => performance.now() - leftAt < requestTimeoutMs;

/** The entry script carries a hash of the build in its name. */
const currentBuild = () =>
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.origin;

/** From the tab's store, or where that is forbidden from the entry of the history, which a reload keeps as well. */
function reloadedBuilds(): readonly string[] {
  const entry = stateOfEntry()[stampKey];
  const stamp = area('session')?.getItem(stampKey) ?? entry;
  return typeof stamp === 'string' ? stamp.split('\n').filter(Boolean) : [];
}

function noteReload(builds: readonly string[]): void {
  const stamp = builds.join('\n');
  if (area('session')?.setItem(stampKey, stamp)) return;
  history.replaceState({ ...stateOfEntry(), [stampKey]: stamp }, '');
}

function stateOfEntry(): Record<string, unknown> {
  const state: unknown = history.state;
  return state instanceof Object ? Object.fromEntries(Object.entries(state)) : {};
}

async function onMissingChunk({ payload }: VitePreloadErrorEvent): Promise<void> {
  payload.message = missing + payload.message;
  // a part can also be missing because there is no network
  const offline = isOffline() || !(await serverAnswers());
  if (offline) recordNetworkFailure();
  const build = currentBuild();
  const reloaded = reloadedBuilds();
  if (!mayReload({ build, reloaded, busy: isBusy(), offline, leaving: isLeaving() })) return;
  noteReload([...reloaded, build]);
  location.reload();
}

/** Call once, before the router loads its first route. */
export function installChunkReload(): void {
  watchLeaving();
  window.addEventListener('vite:preloadError', (event) => void onMissingChunk(event));
}
