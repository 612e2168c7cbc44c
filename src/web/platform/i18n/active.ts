import { setupI18n, type I18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';
import type { BrandMessages } from '#contract/brand-messages.ts';
import { languages, type Language } from '#contract/fields.ts';
import { subscribeToMessages } from './catalogs.ts';
import { languageKey } from '#web/platform/session/storage/keys.ts';
import { chooseLanguage } from '#contract/brand.ts';
import type { BrandState } from '#contract/page.ts';

declare module '@lingui/core' {
  interface I18n {
    /** The brand's time zone, an IANA name, for the days of day-text.ts. */
    timeZone?: string | undefined;
  }
}

/** The messages of one page: the catalogue, overridden by the brand's own messages. */
export function createI18n(
  language: Language,
  messages: Messages,
  timeZone?: string,
  brandMessages: BrandMessages = {},
): I18n {
  const i18n = setupI18n({ locale: language, messages: { [language]: withBrandMessages(messages, brandMessages) } });
  i18n.timeZone = timeZone;
  return i18n;
}

/** A copy that later changes of the messages leave as it is. */
export const copyOfI18n = (i18n: I18n): I18n => createI18n(toLanguage(i18n.locale), i18n.messages, i18n.timeZone);

/** The catalogue, overridden by the brand's messages; both are compiled, so a browser needs no compiler. */
export function withBrandMessages(messages: Messages, words: BrandMessages): Messages {
  // as: lingui treats every value as text
  return { ...messages, ...(words as Messages) };
}

let active: I18n | undefined;

/**
 * Sets this tab's messages; once, when the storefront starts. Never on the server, which renders many languages at
 * once.
 */
export function activate(i18n: I18n): void {
  active = i18n;
  subscribeToMessages(activeLanguage, (messages) => {
    // Existing messages win, because they include the brand's own.
    i18n.load(i18n.locale, { ...messages, ...i18n.messages });
  });
}

/** The messages of this tab; before they are known, an empty catalogue, so that the English source is shown. */
export function activeI18n(): I18n {
  return (active ??= createI18n('en', {}));
}

/** The `Language` header: the active language, `en` before one is known. */
export function activeLanguage(): Language {
  return active ? toLanguage(active.locale) : 'en';
}

/** The language of the rendered page. */
export function useLanguage(): Language {
  return toLanguage(useLingui().i18n.locale);
}

function toLanguage(locale: string): Language {
  return languages.find((language) => language === locale) ?? 'en';
}

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
    console.info('No cookies: the server does not know the language.', error);
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
