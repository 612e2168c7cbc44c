import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';
import { findChromium } from '../../.scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import '#tests/fixtures/resolve-quickly.ts';

const executablePath = process.env['CHROMIUM_PATH'] || findChromium();
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');

/**
 * These have a shop or a browser of their own, and a process each, a long wait, or a page that computes for seconds, as a
 * captcha's work does. They go first: at the end, one process would be left to work while the others have nothing to do.
 */
const longest = [
  'shop-for-customers',
  'deploy',
  'broken-storage',
  'secrets',
  'typed-secrets',
  'under-attack',
  'saved-card',
  'captcha',
  'guessed-password',
  'ways-in-for-everyone',
  'push',
  'back-button',
].map((name) => `**/${name}.spec.ts`);

/**
 * No page of the other stories lives for long enough to earn back what making its code fast costs: without that, they take
 * a twelfth less of the processor. Customers have it, and so have the benches, and the stories above.
 */
const shortLived = '--js-flags=--no-opt --no-maglev --single-threaded-gc';

const launchedWith = (...flags: string[]) => ({ executablePath, args: [...chromiumArgs, ...flags] });

/** A phone with a narrow screen, in Brazil, read in English unless a story says otherwise. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'longest', testMatch: longest, use: { launchOptions: launchedWith() } },
    { name: 'stories', testIgnore: longest },
  ],
  // whole, because `verify:ways` takes over these settings from another folder
  globalSetup: fileURLToPath(new URL('share-postgres.ts', import.meta.url)),
  // Node strips the types itself, and keeps what it has compiled; the runner's own translation takes seconds where it has no cache
  build: { external: ['**/*.ts'] },
  outputDir: '../../test-results',
  forbidOnly: true,
  fullyParallel: true,
  // a story waits for half of its time, so two cores carry three
  workers: 3,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    // What hangs is named in the report, before the story's whole time is over.
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    ...devices['Pixel 5'],
    viewport: { width: 360, height: 740 },
    // a phone's true density paints seven times as much, and there is no GPU
    deviceScaleFactor: 1,
    // Each new browser would fetch the whole storefront for later. Stories of money and of what is kept allow it (`worker`).
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: launchedWith(shortLived),
  },
});
