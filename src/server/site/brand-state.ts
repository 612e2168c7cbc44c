import { createHash } from 'node:crypto';
import type { SentWords } from '#contract/brand-words.ts';
import type { FunctionConfig, SiteConfig } from '#contract/brand.ts';
import type { Language } from '#contract/fields.ts';
import type { BrandState } from '#contract/page.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { wordsForBrowsers } from '#server/brand/i18n.ts';
import { rulesForPhones } from '#server/brand/phone-rules.ts';

/** Changes whenever the brand's own messages do. */
export function wordingVersion(brand: Brand): string {
  return createHash('sha256').update(JSON.stringify(brand.wordings)).digest('hex').slice(0, 12);
}

/** The configuration for browsers, with patterns that are safe to run there. */
export function siteConfigOf({ config, cloud }: Brand): SiteConfig {
  return { ...config, validRules: rulesForPhones(config.validRules), ...(cloud && { cloud: true }) };
}

/** Images come with the storefront until a brand has its own. */
export function functionConfigOf(brand: Brand): FunctionConfig {
  const own = [...(brand.pictures?.keys() ?? [])];
  const named = (name: string) => own.find((path) => path.slice(path.lastIndexOf('/') + 1).split('.')[0] === name);
  const [avatar, logo, pcBackground, mobileBackground, share] = [
    named('avatar') ?? own.find((path) => path.endsWith('/icon.svg')),
    named('wordmark'),
    named('background'),
    named('mobile-background'),
    named('share'),
  ];
  const imgConfig = {
    ...(pcBackground !== undefined && { pcBackground }),
    ...(mobileBackground !== undefined && { mobileBackground }),
    ...(logo !== undefined && { logo }),
    ...(avatar !== undefined && { avatar }),
    ...(share !== undefined && { share }),
  };
  return { imgConfig, webConfig: { brand: brand.name, defaultLang: brand.config.defaultLang } };
}

/** The brand's own messages by ID; without one the storefront's applies. */
export function wordsOf({ wordings }: Brand, language: Language): SentWords {
  const own = wordings[language];
  return own ? wordsForBrowsers(own) : {};
}

/** What every page knows about its brand before it fetches anything (`contract/page.ts`). */
export function brandState(brand: Brand, language: Language, countryCode: string): BrandState {
  const { name, themeColor, tenantId } = brand;
  return {
    theme: { name, themeColor, tenantId },
    siteConfig: siteConfigOf(brand),
    functionConfig: functionConfigOf(brand),
    messages: wordsOf(brand, language),
    countryCode,
  };
}
