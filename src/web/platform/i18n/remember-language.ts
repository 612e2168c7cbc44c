import type { Language } from '#contract/fields.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';
import { activeLanguage } from './active.ts';
import { chooseLanguage } from '#contract/brand.ts';
import type { BrandState } from '#contract/page.ts';

/**
 * Stores the choice for the next visit. On https the cookie has a name that no other host and no plain connection can
 * set (RFC 6265bis, 4.1.3.2).
 */
export function rememberLanguage(language: Language): void {
  languageKey.set(language);
  const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', ''];
  try {
    // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing on older phones
    document.cookie = `${prefix}language=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  } catch (error) {
    console.info('This browser takes no cookies, so the server does not know the language.', error);
  }
}

/** Stores the language that the URL requested once the customer pays or signs in, so that later messages use it too. */
export function persistLanguage(): void {
  rememberLanguage(activeLanguage());
}

/** The language to start in where the server did not choose one: a page from a static web server. */
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
