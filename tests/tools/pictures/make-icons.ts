/**
 * Draws the icons of the demo brands into public/, when a mark has changed:
 * `node tests/tools/pictures/make-icons.ts`. The results are committed; the build only copies them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { findChromium } from '#scripts/chromium.ts';
import { chromiumArgs } from '#tests/fixtures/chromium-args.ts';
import { iconArt, iconSvg, type IconArt } from './icon-art.ts';

const publicFolder = fileURLToPath(new URL('../../../public', import.meta.url));

/** The corner radius of a tile, in units of 512; launchers crop the maskable icon themselves. */
const rounded = 116;

const pictures = [
  { name: 'icon-192.png', size: 192, radius: rounded, scale: 1 },
  { name: 'icon-512.png', size: 512, radius: rounded, scale: 1 },
  { name: 'maskable-512.png', size: 512, radius: 0, scale: 0.82 },
  { name: 'apple-touch-icon.png', size: 180, radius: 0, scale: 0.94 },
];

async function picture(browser: Browser, svg: string, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

async function draw(browser: Browser, art: IconArt): Promise<void> {
  const icons = `${publicFolder}/icons/${art.tenant}`;
  await mkdir(icons, { recursive: true });
  await writeFile(`${icons}/icon.svg`, iconSvg(art, { radius: rounded, scale: 1 }));
  await writeFile(`${icons}/favicon.svg`, iconSvg(art, { radius: rounded, scale: 1.14 }));
  for (const { name, size, radius, scale } of pictures) {
    await writeFile(`${icons}/${name}`, await picture(browser, iconSvg(art, { radius, scale }), size));
  }
}

const executablePath = findChromium({ whole: true });
if (!executablePath) throw new Error('No Chromium: run `node .scripts/setup.mjs --browser`.');
const browser = await chromium.launch({ executablePath, args: [...chromiumArgs] });
for (const art of iconArt) await draw(browser, art);
await browser.close();
