import type { BrandWords } from '../../../contract/brand-words.ts';
import type { Language } from '../../../contract/fields.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { perform } from '../api/perform.ts';
import { activeI18n, withBrandWords } from '../i18n/active.ts';
import { getSession } from '../session/session.ts';
import { loadCatalog } from '../i18n/catalogs.ts';
import { rememberLanguage } from '../i18n/remember-language.ts';

let latest = 0;
let telling: Promise<void> = Promise.resolve();

/** Resolves when the shop has heard of the last choice, or could not be reached. */
export const whenTold = (): Promise<void> => telling;

/**
 * Changes the language in place: what is typed stays typed. The choice is kept on the device, and in a cookie so that
 * the server renders the next page in it. Answers false, having said so, when the words cannot be loaded.
 */
export async function setLanguage(language: Language): Promise<boolean> {
  const turn = (latest += 1);
  const spoken = brandWords(language);
  const messages = await loadCatalog(language, spoken).catch(() => undefined);
  const words = await spoken;
  // Somebody chose another one while this was loading.
  if (turn !== latest) return false;
  if (!messages) {
    void perform([{ type: 'toast', tone: 'warning' }], new ApiError('network', 'catalog', { lost: 'unreachable' }));
    return false;
  }
  activeI18n().loadAndActivate({ locale: language, messages: withBrandWords(messages, words) });
  document.documentElement.lang = language;
  rememberLanguage(language);
  if (getSession()) telling = import('./refresh-wording.ts').then(({ tellShop }) => tellShop(language));
  return true;
}

/** A brand whose own wording cannot be read speaks the catalogue's. */
async function brandWords(language: Language): Promise<BrandWords> {
  try {
    // Fetched with the words themselves: most visits never change the language, and this room of the contract is large.
    const { i18nMessage } = await import('../../../contract/site.ts');
    return await call(i18nMessage, { query: { language } }, { quiet: true });
  } catch (error) {
    console.info('The words of the brand did not arrive.', error);
    return {};
  }
}
