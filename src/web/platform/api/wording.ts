import type { BrandMessages } from '#contract/brand-messages.ts';
import type { Language } from '#contract/fields.ts';
import { saveLanguage } from '#contract/settings.ts';
import { i18nMessage, i18nVersion } from '#contract/site.ts';
import { call } from '#web/platform/api/client.ts';
import { getSession } from '#web/platform/session/session.ts';
import { wordingKey } from '#web/platform/session/storage/device-keys.ts';
import { activeI18n, activeLanguage, withBrandMessages, rememberLanguage } from '#web/platform/i18n/active.ts';
import { loadCatalog } from '#web/platform/i18n/catalogs.ts';

/**
 * A page may come from a cache with outdated brand messages. The version shows this in one small answer; without an
 * answer the messages stay unchanged.
 */
export async function refreshWording(): Promise<void> {
  try {
    const { version } = await call(i18nVersion, {}, { quiet: true });
    const seen = wordingKey.get();
    wordingKey.set(version);
    // On a first visit the page is current.
    if (seen === undefined || seen === version) return;
    const language = activeLanguage();
    const words = await call(i18nMessage, { query: { language } }, { quiet: true });
    const i18n = activeI18n();
    if (activeLanguage() === language)
      i18n.loadAndActivate({ locale: language, messages: withBrandMessages(i18n.messages, words) });
  } catch (error) {
    console.info('The brand’s wording was not refreshed.', error);
  }
}

let saving: Promise<void> = Promise.resolve();

/** Resolves when the server has stored the last choice, or could not be reached. */
export const whenLanguageSaved = (): Promise<void> => saving;

/**
 * The lazily loaded part of `setLanguage`. Returns false and changes nothing if another language was chosen while the
 * messages were loading. Throws if they cannot be loaded.
 */
export async function changeLanguage(language: Language, isLatest: () => boolean): Promise<boolean> {
  const brandMessages = fetchBrandMessages(language);
  const messages = await loadCatalog(language, brandMessages);
  const words = await brandMessages;
  if (!isLatest()) return false;
  activeI18n().loadAndActivate({ locale: language, messages: withBrandMessages(messages, words) });
  document.documentElement.lang = language;
  rememberLanguage(language);
  if (getSession()) saving = saveLanguageOfCustomer(language);
  return true;
}

/** Falls back to the catalogue where the brand's own messages cannot be loaded. */
async function fetchBrandMessages(language: Language): Promise<BrandMessages> {
  try {
    return await call(i18nMessage, { query: { language } }, { quiet: true });
  } catch (error) {
    console.info('The words of the brand did not arrive.', error);
    return {};
  }
}

/** Emails to the customer use the language of the storefront; a TV device does not change that. */
async function saveLanguageOfCustomer(language: Language): Promise<void> {
  if (getSession()?.buysOnly) return;
  try {
    await call(saveLanguage, { body: { language } }, { quiet: true });
  } catch (error) {
    // the customer can also choose the email language in the settings
    console.info('The shop did not hear of the language.', error);
  }
}
