/**
 * Takes the screenshots of the README and of the install dialog from the running storefront, into public/screenshots/:
 * `npm run pictures`. The manifest reads the size from the file name. The results are committed.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { findChromium } from '#scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { root } from '#tests/fixtures/source-tree.ts';

interface Shop {
  readonly tenant: string;
  readonly locale: string;
  readonly plan: string;
}

const shops: readonly Shop[] = [
  { tenant: 'lumen', locale: 'pt-BR', plan: '303' },
  { tenant: 'mego', locale: 'en-US', plan: '403' },
  { tenant: 'baobab', locale: 'en-US', plan: '502' },
];

/** Sizes in CSS pixels, with the device pixel ratio. */
const screens = [
  { width: 360, height: 740, scale: 2, phone: true },
  { width: 1280, height: 800, scale: 1, phone: false },
];

const pages = (shop: Shop) => [
  { name: '1-home', path: '/' },
  { name: '2-plans', path: '/pricing-table' },
  { name: '3-plan', path: `/plan-details/${shop.plan}` },
];

async function takePictures(browser: Browser, server: ServerProcess, shop: Shop): Promise<void> {
  const folder = join(root, 'public/screenshots', shop.tenant);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { width, height, scale, phone } of screens) {
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: scale,
      isMobile: phone,
      hasTouch: phone,
      locale: shop.locale,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    for (const { name, path } of pages(shop)) {
      await page.goto(server.brandOrigin(shop.tenant) + path);
      await page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
      await page.screenshot({ path: join(folder, `${name}-${width * scale}x${height * scale}.png`) });
    }
    await context.close();
  }
}

const executablePath = findChromium({ whole: true });
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');
const server = await startServer();
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
for (const shop of shops) await takePictures(browser, server, shop);
await browser.close();
await server.dispose();
