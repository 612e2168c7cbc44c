import { languageAlternates, urlInLanguage } from '#contract/brand.ts';
import { languageTable, type Language } from '#contract/fields.ts';
import { exponent } from '#contract/money.ts';
import type { BrandState, PageRequest } from '#contract/page.ts';
import type { Plan } from '#contract/plan.ts';
import { brandTokens } from './tokens.ts';

/** What a page is about, for its structured data (https://schema.org). */
export type PageSubject = { kind: 'shop' } | { kind: 'plans'; plans: readonly Plan[] };

interface HeadInput extends Pick<PageRequest, 'origin' | 'brand' | 'language' | 'languageInUrl'> {
  url: URL;
  title: string;
  description?: string | undefined;
  robots?: string | undefined;
  subject?: PageSubject | undefined;
}

/** The head of a rendered page: metadata for search engines, sharing and installing. */
export function headMarkup(input: HeadInput): string {
  const { brand, language, title, description, robots } = input;
  const { light, dark } = brandTokens(brand.theme.themeColor);
  const icons = iconFolder(brand);
  const tags = [
    `<title>${escape(title)}</title>`,
    description && `<meta name="description" content="${escape(description)}">`,
    robots && `<meta name="robots" content="${escape(robots)}">`,
    ...sharingTags(input),
    `<meta name="theme-color" content="${light['--page']}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${dark['--page']}" media="(prefers-color-scheme: dark)">`,
    '<meta name="color-scheme" content="light dark">',
    `<link rel="icon" href="${icons}/favicon.svg" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="${icons}/apple-touch-icon.png">`,
    `<link rel="manifest" href="/manifest.webmanifest?language=${language}">`,
  ];
  if (!robots) tags.push(...addresses(input), ...structuredData(input));
  return tags.filter(Boolean).join('\n');
}

const iconFolder = ({ theme }: BrandState) => `/icons/${encodeURIComponent(theme.tenantId)}`;

/** The picture of the brand for a shared link: its own of 1200 by 630, else its square icon. */
function pictureOf({ origin, brand }: HeadInput) {
  const { share } = brand.functionConfig.imgConfig;
  return share
    ? { card: 'summary_large_image', url: origin + share }
    : { card: 'summary', url: `${origin}${iconFolder(brand)}/icon-512.png` };
}

/** A language as Open Graph (https://ogp.me) requires it, with a territory; `es_LA` is its Latin American Spanish. */
function openGraphLocale(code: Language): string {
  if (code === 'es') return 'es_LA';
  const { language, region } = new Intl.Locale(languageTable[code].locale).maximize();
  return `${language}_${region}`;
}

/** The preview of a shared link: Open Graph, and the one tag of X that Open Graph has no equivalent of. */
function sharingTags(input: HeadInput): string[] {
  const { brand, language, title, description } = input;
  const picture = pictureOf(input);
  const properties: readonly (readonly [string, string | undefined])[] = [
    ['og:type', 'website'],
    ['og:site_name', brand.theme.name],
    ['og:title', title],
    ['og:description', description],
    ['og:url', canonicalUrl(input)],
    ['og:locale', openGraphLocale(language)],
    ['og:image', picture.url],
    ['og:image:alt', brand.theme.name],
  ];
  return [
    ...properties.flatMap(([name, content]) =>
      content ? [`<meta property="${name}" content="${escape(content)}">`] : [],
    ),
    `<meta name="twitter:card" content="${picture.card}">`,
  ];
}

/**
 * Every URL that is listed as an alternate is its own canonical URL, whatever language its visitor reads; otherwise
 * search engines ignore the list.
 */
function canonicalUrl({ url, origin, brand, language, languageInUrl }: HeadInput): string {
  const plain = origin + url.pathname;
  return languageInUrl ? urlInLanguage(plain, language, brand.siteConfig) : plain;
}

/** The link relations `canonical` and `alternate`. */
function addresses(input: HeadInput): string[] {
  const alternates = languageAlternates(input.origin + input.url.pathname, input.brand.siteConfig);
  return [
    `<link rel="canonical" href="${escape(canonicalUrl(input))}">`,
    ...alternates.map(([code, url]) => `<link rel="alternate" hreflang="${code}" href="${escape(url)}">`),
  ];
}

/** The page's subject as JSON-LD, from the text and prices that the page shows. A data block, which no policy blocks. */
function structuredData(input: HeadInput): string[] {
  const { subject } = input;
  if (!subject) return [];
  const graph = subject.kind === 'shop' ? shopData(input) : subject.plans.map((plan) => planData(plan, input));
  if (graph.length === 0) return [];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  return [`<script type="application/ld+json">${json.replaceAll('<', String.raw`\u003c`)}</script>`];
}

function shopData({ origin, brand }: HeadInput): object[] {
  const { siteConfig, theme } = brand;
  const { seller, helpShowEmail: email, helpPhone: telephone } = siteConfig;
  return [
    {
      '@type': 'Organization',
      '@id': `${origin}/#organization`,
      name: theme.name,
      url: `${origin}/`,
      logo: `${origin}${iconFolder(brand)}/icon-512.png`,
      legalName: seller?.legalName,
      taxID: seller?.taxNumber,
      address: seller?.address,
      ...((email ?? telephone) !== undefined && {
        contactPoint: {
          '@type': 'ContactPoint',
          contactType: 'customer support',
          email,
          telephone,
          availableLanguage: siteConfig.langs,
        },
      }),
    },
    {
      '@type': 'WebSite',
      name: theme.name,
      url: `${origin}/`,
      inLanguage: siteConfig.langs,
      publisher: { '@id': `${origin}/#organization` },
    },
  ];
}

function planData(plan: Plan, input: HeadInput): object {
  const { origin, brand } = input;
  const address = `${origin}/plan-details/${encodeURIComponent(plan.id)}`;
  const { amount, currency } = plan.price;
  const digits = exponent(currency);
  return {
    '@type': 'Product',
    '@id': `${address}#product`,
    name: `${brand.theme.name} · ${plan.name}`,
    sku: plan.id,
    image: pictureOf(input).url,
    url: address,
    brand: { '@type': 'Brand', name: brand.theme.name },
    offers: {
      '@type': 'Offer',
      url: address,
      price: (amount / 10 ** digits).toFixed(digits),
      priceCurrency: currency,
      availability: 'https://schema.org/InStock',
      seller: { '@id': `${origin}/#organization`, '@type': 'Organization', name: brand.theme.name },
    },
  };
}

/** Escapes text for an attribute or an element. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
