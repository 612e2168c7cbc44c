import type { Messages } from '@lingui/core';
import { languages, type Language } from '#contract/fields.ts';

const catalogues = import.meta.glob<Messages>(['../../../../locales/*.po', '../../../../locales/private/*.po'], {
  eager: true,
  import: 'messages',
});

const messagesIn = (language: Language): Messages => ({
  ...catalogues[`../../../../locales/${language}.po`],
  ...catalogues[`../../../../locales/private/${language}.po`],
});

const messages = Object.fromEntries(languages.map((language) => [language, messagesIn(language)]));

/** The messages of all pages in all languages, for the server; a browser loads only what it shows. */
export const serverCatalogs = messages as Readonly<Record<Language, Messages>>; // as: its keys are exactly the languages
