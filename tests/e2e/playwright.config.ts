import { fileURLToPath } from 'node:url';
import { defineConfig, devices } from '@playwright/test';
import { findChromium } from '#scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import '#tests/fixtures/resolve-quickly.ts';

const executablePath = process.env['CHROMIUM_PATH'] || findChromium();
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');

/**
 * Tests with a server, a browser or processes of their own, a long wait, or much computation, such as proof of work.
 * They run first: at the end, one worker would run them while the others are idle.
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
 * The other tests are too short for optimised code to pay off. Without it they use a twelfth less CPU time. Customers,
 * the benchmarks and the tests above run with it.
 */
const withoutOptimisation = '--js-flags=--no-opt --no-maglev --single-threaded-gc';

const launchOptionsWith = (...flags: string[]) => ({ executablePath, args: [...chromiumArgs, ...flags] });

/** A narrow phone in Brazil, in English unless a test sets another language. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'longest', testMatch: longest, use: { launchOptions: launchOptionsWith() } },
    { name: 'others', testIgnore: longest },
  ],
  // An absolute path, because `verify:ways` uses these settings from another folder.
  globalSetup: fileURLToPath(new URL('share-postgres.ts', import.meta.url)),
  // Node strips the types itself and caches the result. The transpiler of the runner takes seconds without a cache.
  build: { external: ['**/*.ts'] },
  outputDir: '../../test-results',
  forbidOnly: true,
  fullyParallel: true,
  // A test waits for half of its time, so two cores run three.
  workers: 3,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    // An action that hangs is named in the report before the whole timeout of the test is over.
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    ...devices['Pixel 5'],
    viewport: { width: 360, height: 740 },
    // The real density of a phone would paint seven times as many pixels, and there is no GPU.
    deviceScaleFactor: 1,
    // Each new browser would precache the whole storefront. Tests of payments and of stored data allow it.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: launchOptionsWith(withoutOptimisation),
  },
});
