import './ui/tokens.css';
import { boot } from './app/boot.tsx';
import { installEffects } from './app/install-effects.ts';
import { startWhenIdle } from './app/start-when-idle.ts';
import { readPageState } from './app/page-state.ts';
import { installChunkReload } from './pwa/chunk-reload.ts';
import type { Language } from '../contract/fields.ts';

/** A page that no server of ours has made asks the API for what it lacks; without an answer it says so. */
async function askForState(language: Language | undefined) {
  const { fetchPageState } = await import('./app/fetch-page-state.ts');
  try {
    return await fetchPageState(language);
  } catch (error) {
    console.info('The API did not say whose storefront this is.', error);
    const { showUnreachable } = await import('./app/show-unreachable.tsx');
    await showUnreachable();
    return undefined;
  }
}

installChunkReload();
// A link that differs from this page only by what follows the `#` loads nothing by itself, and a secret would stay.
addEventListener('hashchange', () => location.hash.includes('=') && location.reload());
// First of all: no secret stays in the address. Most addresses carry nothing to read.
const telling = location.search !== '' || location.hash.includes('=');
const asked = telling ? (await import('./entry/read-address.ts')).readAddress() : undefined;
const state = readPageState() ?? (await askForState(asked?.language));
if (state) startWhenIdle(await boot(state, installEffects), asked);
