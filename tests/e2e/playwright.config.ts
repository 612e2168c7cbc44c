import { defineConfig, devices } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../.scripts/chromium.mjs';

const executablePath = process.env['CHROMIUM_PATH'] || (await findChromium());
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');

/** A phone with a narrow screen, in Brazil, read in English unless a story says otherwise. */
export default defineConfig({
  testDir: '.',
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
    ...devices['Pixel 5'],
    viewport: { width: 360, height: 740 },
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath, args: [...chromiumArgs] },
  },
});
