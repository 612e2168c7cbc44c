import type { Language } from '../../contract/fields.ts';

/** Each language in its own words, so that who reads only that one finds it. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  pt: 'Português',
  es: 'Español',
  ru: 'Русский',
};
