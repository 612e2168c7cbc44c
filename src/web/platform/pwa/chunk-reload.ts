import { isBusy } from '../session/busy.ts';
import { isOffline, noteFailure, serverAnswers } from '../network/network-state.ts';

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
}

/** Without network a reload would trade a page with an error for no page at all. */
export function mayReload(situation: ReloadSituation): boolean {
  return !situation.busy && !situation.offline && !situation.reloaded.includes(situation.build);
}

/** The entry script carries a hash of the build in its name. */
const currentBuild = () =>
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.origin;

function reloadedBuilds(): readonly string[] {
  return (sessionStorage.getItem(stampKey) ?? '').split('\n').filter(Boolean);
}

async function onMissingChunk({ payload }: VitePreloadErrorEvent): Promise<void> {
  payload.message = missing + payload.message;
  // a part can also be missing because there is no network
  const offline = isOffline() || !(await serverAnswers());
  if (offline) noteFailure();
  const build = currentBuild();
  const reloaded = reloadedBuilds();
  if (!mayReload({ build, reloaded, busy: isBusy(), offline })) return;
  sessionStorage.setItem(stampKey, [...reloaded, build].join('\n'));
  location.reload();
}

/** Call once, before the router loads its first route. */
export function installChunkReload(): void {
  window.addEventListener('vite:preloadError', (event) => void onMissingChunk(event));
}
