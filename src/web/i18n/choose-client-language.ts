import { chooseLanguage } from '../../contract/brand.ts';
import type { Language } from '../../contract/fields.ts';
import type { BrandState } from '../../contract/page.ts';
import { languageKey } from '../storage/keys.ts';

/** The language to start in where the server did not choose one: a page that came from a bare web server. */
export function chooseClientLanguage({
  siteConfig,
  theme,
  countryCode,
}: Pick<BrandState, 'siteConfig' | 'theme' | 'countryCode'>): Language {
  return chooseLanguage({
    stored: languageKey.get(),
    browser: navigator.languages,
    tenantId: theme.tenantId,
    countryCode,
    langs: siteConfig.langs,
    defaultLang: siteConfig.defaultLang,
  });
}
