import './ui/tokens.css';
import { boot } from './app/boot.tsx';
import { fetchPageState } from './app/fetch-page-state.ts';
import { installEffects } from './app/install-effects.ts';
import { startWhenIdle } from './app/start-when-idle.ts';
import { readPageState } from './app/page-state.ts';
import { arrive } from './entry/arrive.ts';
import { installChunkReload } from './pwa/chunk-reload.ts';

// First of all: no secret stays in the address.
const { language } = arrive();
installChunkReload();
const state = readPageState() ?? (await fetchPageState(language));
startWhenIdle(await boot(state, installEffects));
