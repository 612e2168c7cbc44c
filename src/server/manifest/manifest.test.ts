import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { languages } from '../../contract/fields.ts';
import { matchPath } from '../../contract/paths.ts';
import { demoBrands } from '../db/seed.ts';
import { lumen } from '../db/seed/lumen.ts';
import { mego } from '../db/seed/mego.ts';
import { manifestColor, webManifest } from './manifest.ts';
import { createManifests } from './screenshots.ts';

const brands = demoBrands.map(({ brand }) => brand);

async function siteWith(files: readonly string[]): Promise<string> {
  const site = await mkdtemp(join(tmpdir(), 'marquee-site-'));
  onTestFinished(() => rm(site, { recursive: true }));
  await mkdir(join(site, 'screenshots/lumen'), { recursive: true });
  for (const file of files) await writeFile(join(site, 'screenshots/lumen', file), '');
  return site;
}

test('one installed app stays one app in every language and every brand has its own name and colour', () => {
  for (const brand of brands) {
    const manifests = languages.map((language) => webManifest(brand, language));
    expect(new Set(manifests.map((manifest) => manifest.id))).toEqual(new Set(['/']));
    expect(manifests.map((manifest) => manifest.lang)).toEqual([...languages]);
    expect(manifests[0]?.name).toBe(brand.name);
    expect(manifests[0]?.theme_color).toBe(brand.themeColor.toLowerCase());
  }
});

test('a long press on the icon offers orders, plans and help in the language of the phone', () => {
  const { shortcuts } = webManifest(lumen.brand, 'ru');
  expect(shortcuts.map((shortcut) => shortcut.name)).toEqual(['Заказы', 'Тарифы', 'Помощь']);
  for (const { url } of shortcuts) expect(matchPath(url)).toBe(url);
});

test('every icon that is named is there, also the one that a launcher may cut', () => {
  const site = fileURLToPath(new URL('../../../public', import.meta.url));
  for (const brand of brands) {
    const { icons } = webManifest(brand, 'en');
    expect(icons.some((icon) => icon.purpose === 'maskable')).toBe(true);
    for (const { src } of icons) expect(existsSync(site + src), src).toBe(true);
    for (const name of ['favicon.svg', 'apple-touch-icon.png']) {
      expect(existsSync(`${site}/icons/${brand.tenantId}/${name}`)).toBe(true);
    }
  }
});

test('a colour that is none falls back to the default', () => {
  expect(manifestColor('#ABC')).toBe('#aabbcc');
  for (const bad of ['', 'red', '#12345', 'url(x)', '#1234567', '#ggg', '#fff;}']) {
    expect(manifestColor(bad)).toBe('#1f2937');
  }
});

test('the pictures that exist are shown before installing, and none that do not', async () => {
  const site = await siteWith(['plans-720x1480.png', 'plans-1280x800.png', 'notes.txt', '.hidden.png']);
  const manifestFor = createManifests(site);
  expect((await manifestFor(lumen.brand, 'pt')).screenshots).toEqual([
    { src: '/screenshots/lumen/plans-1280x800.png', sizes: '1280x800', type: 'image/png', form_factor: 'wide' },
    { src: '/screenshots/lumen/plans-720x1480.png', sizes: '720x1480', type: 'image/png', form_factor: 'narrow' },
  ]);
  expect((await manifestFor(mego.brand, 'pt')).screenshots).toEqual([]);
  expect((await manifestFor({ ...lumen.brand, tenantId: '../lumen' }, 'pt')).screenshots).toEqual([]);
});
