import type { Language } from '#contract/fields.ts';
import type { Brand } from '#server/brand/catalog.ts';

/** Text in the requested language, else in the brand's default language, else in any. */
export function inLanguage<T>(texts: Partial<Record<Language, T>>, language: Language, brand: Brand): T | undefined {
  return texts[language] ?? texts[brand.config.defaultLang] ?? Object.values(texts)[0];
}
