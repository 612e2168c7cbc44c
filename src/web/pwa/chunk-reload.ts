import { isBusy } from '../session/busy.ts';
import { networkState } from './network-state.ts';

/**
 * [Note: Missing chunk] After a deploy an open page may ask for a file that is no longer there. Loading the page again
 * brings the new build. That is done once for each build and never while something would be lost; otherwise the
 * error page shows, with its own Retry.
 */
const stampKey = 'marquee.reloadedBuilds';

let underway = false;

/** Whether the page is about to be replaced, so that an error screen need not flash up first. */
export const isReloading = (): boolean => underway;

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
const currentBuild = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.origin;

function reloadedBuilds(): readonly string[] {
  return (sessionStorage.getItem(stampKey) ?? '').split('\n').filter(Boolean);
}

function onMissingChunk(event: VitePreloadErrorEvent): void {
  const build = currentBuild();
  const reloaded = reloadedBuilds();
  // the router reloads by itself, busy or not, on messages that it recognises as a missing module
  event.payload.message = `A part of the page is missing: ${event.payload.message}`;
  if (!mayReload({ build, reloaded, busy: isBusy(), offline: networkState() === 'offline' })) return;
  sessionStorage.setItem(stampKey, [...reloaded, build].join('\n'));
  underway = true;
  location.reload();
}

/** Call once, before the router loads its first route. */
export function installChunkReload(): void {
  window.addEventListener('vite:preloadError', onMissingChunk);
}
