import './ui/tokens.css';
import { boot } from './app/boot.tsx';
import { installEffects } from './app/install-effects.ts';
import { startWhenIdle } from './app/start-when-idle.ts';
import { readPageState } from './app/page-state.ts';
import { installChunkReload } from './pwa/chunk-reload.ts';

installChunkReload();
// First of all: no secret stays in the address. Most addresses carry nothing to read.
const arrival = location.search ? (await import('./entry/arrive.ts')).arrive() : undefined;
const state = readPageState() ?? (await (await import('./app/fetch-page-state.ts')).fetchPageState(arrival?.language));
startWhenIdle(await boot(state, installEffects));
