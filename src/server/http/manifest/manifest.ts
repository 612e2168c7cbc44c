import type { Language } from '#contract/fields.ts';
import { pageColor, type ColorMode } from '#contract/oklch.ts';
import type { I18n } from '@lingui/core';
import { i18nIn, type BrandWithCopy } from '#server/brand/i18n.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of a brand that the manifest needs; `Brand` of the catalogue fits. */
interface ManifestBrand extends BrandWithCopy {
  readonly tenantId: string;
  readonly name: string;
  readonly themeColor: string;
}

/** A screenshot of the storefront, by its path on the site. */
interface Screenshot {
  readonly src: string;
  /** its subject, as named by the screenshot script: `plans` */
  readonly shows: string;
  readonly width: number;
  readonly height: number;
}

const fallbackColor = '#1f2937';
/** Launchers truncate longer names. */
const shortNameLength = 12;

const hexColor = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

/** Six digits of the brand's colour, or the default where the brand has no valid one. */
export function manifestColor(color: string): string {
  if (!hexColor.test(color)) return fallbackColor;
  const digits = color.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

function icons(folder: string) {
  return [
    { src: `${folder}/icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: `${folder}/icon-192.png`, sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: `${folder}/icon-512.png`, sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: `${folder}/maskable-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ];
}

/** The colours of the splash screen, by the phone's colour mode at the time of the request. */
function colors(themeColor: string, mode: ColorMode) {
  const background = pageColor(themeColor, mode);
  return { theme_color: mode === 'dark' ? background : manifestColor(themeColor), background_color: background };
}

/** Labels of the screenshots in the install dialog, for assistive technology. */
function labelsIn(i18n: I18n): ReadonlyMap<string, string> {
  return new Map([
    ['home', i18n._({ id: 'manifest.picture.home', message: 'Service overview' })],
    ['plans', i18n._({ id: 'manifest.picture.plans', message: 'All plans and their prices' })],
    ['plan', i18n._({ id: 'manifest.picture.plan', message: 'A plan and what it includes' })],
  ]);
}

function pictures(screenshots: readonly Screenshot[], i18n: I18n) {
  const labels = labelsIn(i18n);
  return screenshots.map(({ src, shows, width, height }) => {
    const label = labels.get(shows);
    return {
      src,
      sizes: `${width}x${height}`,
      type: 'image/png',
      form_factor: width > height ? 'wide' : 'narrow',
      ...(label === undefined ? {} : { label }),
    };
  });
}

function shortcuts(i18n: I18n, folder: string) {
  const shortcut = (name: string, url: string) => ({
    name,
    url,
    icons: [{ src: `${folder}/icon-192.png`, sizes: '192x192', type: 'image/png' }],
  });
  return [
    shortcut(i18n._({ id: 'manifest.orders', message: 'Orders' }), '/orders'),
    shortcut(i18n._({ id: 'manifest.plans', message: 'Plans' }), '/pricing-table'),
    shortcut(i18n._({ id: 'manifest.account', message: 'Account' }), '/account'),
    shortcut(i18n._({ id: 'manifest.help', message: 'Help' }), '/help'),
  ];
}

/** The variant of a manifest, from the query of its link in the head. */
interface ManifestOptions {
  readonly language: Language;
  /** the preferred colour scheme of the page, for phones that support only one pair of colours */
  readonly mode?: ColorMode;
  readonly screenshots?: readonly Screenshot[];
}

/**
 * The web app manifest of a brand (W3C Application Manifest). `id` is the same for every language, so that a phone
 * whose language changes still has one installed app. Dark colours are given in three forms: `color_scheme_dark` of the
 * specification, `user_preferences` of Chromium's incubation, and in place of the default colours. An open app is
 * focused and receives the target URL (`src/web/domain/notifications/install/follow-launches.ts`), because navigating
 * it would discard a payment form.
 */
export function webManifest(brand: ManifestBrand, { language, mode = 'light', screenshots = [] }: ManifestOptions) {
  const folder = `/icons/${encodeURIComponent(brand.tenantId)}`;
  const dark = colors(brand.themeColor, 'dark');
  const i18n = i18nIn(language, brand);
  return {
    id: '/',
    name: brand.name,
    short_name: Array.from(brand.name).slice(0, shortNameLength).join(''),
    description: i18n._({ id: 'manifest.description', message: 'Plans, payment and account in one place' }),
    lang: language,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
    ...colors(brand.themeColor, mode),
    color_scheme_dark: dark,
    user_preferences: { color_scheme: { dark } },
    categories: ['entertainment', 'shopping'],
    icons: icons(folder),
    shortcuts: shortcuts(i18n, folder),
    screenshots: pictures(screenshots, i18n),
  };
}

/** The screenshot script encodes position, subject and size in the name: `2-plans-720x1480.png`. */
const fileName = /^(?:\d-)?([\w-]+)-(\d{2,4})x(\d{2,4})\.png$/;
const tenantFolder = /^[\w-]+$/;

/** The screenshots of a brand in `siteFolder`; none where the folder is missing. */
async function screenshotsOf(tenantId: string, siteFolder: string): Promise<readonly Screenshot[]> {
  if (!tenantFolder.test(tenantId)) return [];
  const names = await readdir(join(siteFolder, 'screenshots', tenantId)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return named(tenantId, names);
}

function named(tenantId: string, names: readonly string[]): readonly Screenshot[] {
  return names
    .toSorted((one, other) => one.localeCompare(other, 'en'))
    .flatMap((name) => {
      const size = fileName.exec(name);
      if (!size) return [];
      const [, shows = '', width, height] = size;
      return [{ src: `/screenshots/${tenantId}/${name}`, shows, width: Number(width), height: Number(height) }];
    });
}

/** A brand of the catalogue; its own screenshots, if any, replace those of the site. */
type PicturedBrand = ManifestBrand & { readonly pictures?: ReadonlyMap<string, unknown> };

function ownScreenshots({ tenantId, pictures = new Map() }: PicturedBrand): readonly Screenshot[] {
  const folder = `/screenshots/${tenantId}/`;
  const own = [...pictures.keys()].filter((path) => path.startsWith(folder));
  return named(
    tenantId,
    own.map((path) => path.slice(folder.length)),
  );
}

/**
 * Creates manifests with the existing screenshots. Files of the site do not change while it is served, so each folder
 * is read once.
 */
export function createManifests(siteFolder: string) {
  const known = new Map<string, Promise<readonly Screenshot[]>>();
  return async (brand: PicturedBrand, language: Language, mode: ColorMode = 'light') => {
    const own = ownScreenshots(brand);
    const pictures = known.get(brand.tenantId) ?? screenshotsOf(brand.tenantId, siteFolder);
    known.set(brand.tenantId, pictures);
    return webManifest(brand, { language, mode, screenshots: own.length > 0 ? own : await pictures });
  };
}
