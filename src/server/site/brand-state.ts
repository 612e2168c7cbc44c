import { createHash } from 'node:crypto';
import type { FunctionConfig } from '../../contract/brand.ts';
import type { Language } from '../../contract/fields.ts';
import type { BrandState } from '../../contract/page.ts';
import type { Brand } from '../brand/catalog.ts';

/** Changes whenever the brand's own wording does. */
export function wordingVersion(brand: Brand): string {
  return createHash('sha256').update(JSON.stringify(brand.wordings)).digest('hex').slice(0, 12);
}

/** Images come with the storefront itself until a brand brings its own. */
export function functionConfigOf(brand: Brand): FunctionConfig {
  return { imgConfig: {}, webConfig: { brand: brand.name, defaultLang: brand.config.defaultLang } };
}

/** The brand's own words by message id; none means the storefront's. */
export function wordsOf(brand: Brand, language: Language): Readonly<Record<string, string>> {
  return brand.wordings[language] ?? {};
}

/** What every page knows about its brand before anything is fetched (contract, [Note: Page hand-over]). */
export function brandState(brand: Brand, language: Language, countryCode: string): BrandState {
  const { name, themeColor, tenantId, config } = brand;
  return {
    theme: { name, themeColor, tenantId },
    siteConfig: config,
    functionConfig: functionConfigOf(brand),
    messages: wordsOf(brand, language),
    countryCode,
  };
}
