import { captureInstallPrompt } from '#web/platform/pwa/early-prompt.ts';
import { installChunkReload } from '#web/platform/pwa/chunk-reload.ts';
import { boot } from './boot.tsx';
import { installEffects } from './install-effects.ts';
import { readPageState } from './page-state.ts';
import { startWhenIdle } from './start-when-idle.ts';

/** Starts the storefront in this page. */
export async function start(): Promise<void> {
  installChunkReload();
  captureInstallPrompt();
  // A link that differs from this page only by what follows the `#` loads nothing by itself, and a secret would stay.
  addEventListener('hashchange', () => location.hash.includes('=') && location.reload());
  // First of all: no secret stays in the address. Most addresses carry nothing to read.
  const telling = location.search !== '' || location.hash.includes('=');
  const asked = telling ? (await import('#web/platform/entry/read-address.ts')).readAddress() : undefined;
  const state = readPageState() ?? (await (await import('./fetch-page-state.ts')).startWithoutServer(asked?.language));
  if (state) startWhenIdle(await boot(state, installEffects), asked);
}
