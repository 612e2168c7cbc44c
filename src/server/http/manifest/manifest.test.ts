import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { languages } from '#contract/fields.ts';
import { pageColor } from '#contract/oklch.ts';
import { matchPath } from '#contract/paths.ts';
import { demoBrand, demoBrands } from '#sandbox/demo-brands.ts';
import { manifestColor, webManifest, createManifests } from './manifest.ts';

const publicFolder = fileURLToPath(new URL('../../../../public', import.meta.url));
const brands = demoBrands().map(({ brand }) => brand);
const [lumen, mego] = [demoBrand('lumen'), demoBrand('mego')];

async function siteWith(files: readonly string[]): Promise<string> {
  const site = await mkdtemp(join(tmpdir(), 'marquee-site-'));
  onTestFinished(() => rm(site, { recursive: true }));
  await mkdir(join(site, 'screenshots/lumen'), { recursive: true });
  for (const file of files) await writeFile(join(site, 'screenshots/lumen', file), '');
  return site;
}

test('an installed app is the same app in every language, and every brand has its own name and colour', () => {
  for (const brand of brands) {
    const manifests = languages.map((language) => webManifest(brand, { language }));
    expect(new Set(manifests.map((manifest) => manifest.id))).toEqual(new Set(['/']));
    expect(manifests.map((manifest) => manifest.lang)).toEqual([...languages]);
    expect(manifests[0]?.name).toBe(brand.name);
    expect(manifests[0]?.theme_color).toBe(brand.themeColor.toLowerCase());
  }
});

test('a long press on the icon offers orders, plans, account and help in the language of the phone', () => {
  const { shortcuts } = webManifest(lumen.brand, { language: 'ru' });
  expect(shortcuts.map((shortcut) => shortcut.name)).toEqual(['Заказы', 'Тарифы', 'Аккаунт', 'Помощь']);
  for (const { url } of shortcuts) expect(matchPath(url)).toBe(url);
});

test('every icon of the manifest exists, including the maskable one', () => {
  for (const brand of brands) {
    const { icons } = webManifest(brand, { language: 'en' });
    expect(icons.some((icon) => icon.purpose === 'maskable')).toBe(true);
    for (const { src } of icons) expect(existsSync(publicFolder + src), src).toBe(true);
    for (const name of ['favicon.svg', 'apple-touch-icon.png']) {
      expect(existsSync(`${publicFolder}/icons/${brand.tenantId}/${name}`)).toBe(true);
    }
  }
});

test('a phone in dark mode opens the app dark, whichever form of the manifest it supports', () => {
  for (const brand of brands) {
    const wished = webManifest(brand, { language: 'en', mode: 'dark' });
    const usual = webManifest(brand, { language: 'en' });
    const { theme_color, background_color } = wished;
    const page = { light: pageColor(brand.themeColor, 'light'), dark: pageColor(brand.themeColor, 'dark') };
    expect({ theme_color, background_color }).toEqual({ theme_color: page.dark, background_color: page.dark });
    expect(usual.background_color).toBe(page.light);
    for (const manifest of [wished, usual]) {
      expect(manifest.color_scheme_dark).toEqual({ theme_color, background_color });
      expect(manifest.user_preferences.color_scheme.dark).toEqual({ theme_color, background_color });
      expect(manifest.id).toBe('/');
    }
  }
});

test('the install dialog of every brand has labelled screenshots for phones and for desktops', async () => {
  const manifestFor = createManifests(publicFolder);
  for (const brand of brands) {
    for (const language of languages) {
      const { screenshots, description, categories } = await manifestFor(brand, language);
      const of = (form: string) => screenshots.filter(({ form_factor }) => form_factor === form);
      expect([of('narrow').length, of('wide').length], brand.tenantId).toEqual([3, 3]);
      expect(screenshots.every(({ label }) => label)).toBe(true);
      // Chromium shows screenshots of a form factor only where all have the same aspect ratio.
      expect(new Set(of('narrow').map(({ sizes }) => sizes)).size).toBe(1);
      expect(description && categories.length).toBeTruthy();
    }
  }
});

test('an invalid colour falls back to the default', () => {
  expect(manifestColor('#ABC')).toBe('#aabbcc');
  for (const bad of ['', 'red', '#12345', 'url(x)', '#1234567', '#ggg', '#fff;}']) {
    expect(manifestColor(bad)).toBe('#1f2937');
  }
});

test('the install dialog shows only screenshots that exist', async () => {
  const site = await siteWith([
    '2-plans-720x1480.png',
    '2-plans-1280x800.png',
    '9-x-100x100.png',
    'notes.txt',
    '.hidden.png',
  ]);
  const manifestFor = createManifests(site);
  const label = 'Todos os planos e preços';
  const { screenshots } = await manifestFor(lumen.brand, 'pt');
  expect(screenshots.map(({ type, ...rest }) => (expect(type).toBe('image/png'), rest))).toEqual([
    { src: '/screenshots/lumen/2-plans-1280x800.png', sizes: '1280x800', form_factor: 'wide', label },
    { src: '/screenshots/lumen/2-plans-720x1480.png', sizes: '720x1480', form_factor: 'narrow', label },
    { src: '/screenshots/lumen/9-x-100x100.png', sizes: '100x100', form_factor: 'narrow' },
  ]);
  expect((await manifestFor(mego.brand, 'pt')).screenshots).toEqual([]);
  expect((await manifestFor({ ...lumen.brand, tenantId: '../lumen' }, 'pt')).screenshots).toEqual([]);
});
