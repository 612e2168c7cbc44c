import { captureInstallPrompt } from '#web/platform/pwa/early-prompt.ts';
import { installChunkReload } from '#web/platform/pwa/chunk-reload.ts';
import { boot } from './boot.tsx';
import { installEffects, startWhenIdle } from './install-effects.ts';
import { readPageState } from './page-state.ts';

/** Starts the storefront in this page. */
export async function start(): Promise<void> {
  installChunkReload();
  captureInstallPrompt();
  // A link that changes only the fragment loads nothing, so a secret in it would stay in the URL.
  addEventListener('hashchange', () => location.hash.includes('=') && location.reload());
  // First of all, secrets are removed from the URL. Most URLs have nothing to read.
  const hasParameters = location.search !== '' || location.hash.includes('=');
  const link = hasParameters ? (await import('#web/platform/entry/read-address.ts')).readAddress() : undefined;
  const state = readPageState() ?? (await (await import('./fetch-page-state.ts')).startWithoutServer(link?.language));
  if (state) startWhenIdle(await boot(state, installEffects), link);
}
