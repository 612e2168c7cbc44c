import type { Language } from '../../contract/fields.ts';
import { manifestWords } from './words.ts';

/** What the manifest needs to know of a brand; `Brand` of the catalogue fits. */
export interface ManifestBrand {
  readonly tenantId: string;
  readonly name: string;
  readonly themeColor: string;
}

/** A picture of the storefront, by its path on the site. */
export interface Screenshot {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

const fallbackColor = '#1f2937';
const page = '#ffffff';
/** Launchers cut a name that is longer than this. */
const shortNameLength = 12;

const hexColor = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

/** Six digits of the brand's colour, or the default where the brand has none that is valid. */
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

/**
 * The web app manifest of a brand (W3C Application Manifest). `id` is the same for every language, so that a phone
 * that changes its language keeps one installed app.
 */
export function webManifest(brand: ManifestBrand, language: Language, screenshots: readonly Screenshot[] = []) {
  const words = manifestWords[language];
  const folder = `/icons/${encodeURIComponent(brand.tenantId)}`;
  const shortcut = (name: string, url: string) => ({
    name,
    url,
    icons: [{ src: `${folder}/icon-192.png`, sizes: '192x192', type: 'image/png' }],
  });
  return {
    id: '/',
    name: brand.name,
    short_name: Array.from(brand.name).slice(0, shortNameLength).join(''),
    description: words.description,
    lang: language,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: manifestColor(brand.themeColor),
    background_color: page,
    categories: ['entertainment', 'shopping'],
    icons: icons(folder),
    shortcuts: [
      shortcut(words.orders, '/orders'),
      shortcut(words.plans, '/pricing-table'),
      shortcut(words.help, '/help'),
    ],
    screenshots: screenshots.map(({ src, width, height }) => ({
      src,
      sizes: `${width}x${height}`,
      type: 'image/png',
      form_factor: width > height ? 'wide' : 'narrow',
    })),
  };
}
