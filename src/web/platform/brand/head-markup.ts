import type { Language } from '#contract/fields.ts';
import type { BrandState } from '#contract/page.ts';
import { brandTokens } from './tokens.ts';

interface HeadInput {
  url: URL;
  origin: string;
  brand: BrandState;
  language: Language;
  title: string;
  description?: string | undefined;
  robots?: string | undefined;
}

/** The head of a rendered page: metadata for search engines, sharing and installing. */
export function headMarkup({ url, origin, brand, language, title, description, robots }: HeadInput): string {
  const address = `${origin}${url.pathname}`;
  const { light, dark } = brandTokens(brand.theme.themeColor);
  const { share } = brand.functionConfig.imgConfig;
  const icons = `/icons/${encodeURIComponent(brand.theme.tenantId)}`;
  const tags = [
    `<title>${escape(title)}</title>`,
    description && `<meta name="description" content="${escape(description)}">`,
    robots && `<meta name="robots" content="${escape(robots)}">`,
    `<meta property="og:title" content="${escape(title)}">`,
    `<meta name="theme-color" content="${light['--page']}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${dark['--page']}" media="(prefers-color-scheme: dark)">`,
    share && `<meta property="og:image" content="${escape(origin + share)}">`,
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${icons}/favicon.svg" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="${icons}/apple-touch-icon.png">`,
    `<link rel="manifest" href="/manifest.webmanifest?language=${language}">`,
  ];
  if (!robots) tags.push(...addresses(address, brand, language));
  return tags.filter(Boolean).join('\n');
}

/**
 * One canonical URL for each language, and the URLs of the other languages (link relations `canonical` and
 * `alternate`).
 */
function addresses(address: string, { siteConfig }: BrandState, language: Language): string[] {
  const inLanguage = (code: Language) =>
    escape(code === siteConfig.defaultLang ? address : `${address}?language=${code}`);
  return [
    `<link rel="canonical" href="${inLanguage(language)}">`,
    ...siteConfig.langs.map((code) => `<link rel="alternate" hreflang="${code}" href="${inLanguage(code)}">`),
    `<link rel="alternate" hreflang="x-default" href="${escape(address)}">`,
  ];
}

/** Escapes text for an attribute or an element. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
