import type { Language } from '../../contract/fields.ts';

/** Said until the browser has drawn the page that the server had no time for. */
export const busyWords = {
  en: 'Many people are here at the moment. This page opens in a few seconds.',
  pt: 'Há muita gente aqui neste momento. Esta página abre em alguns segundos.',
  es: 'Hay mucha gente aquí en este momento. Esta página se abre en unos segundos.',
  ru: 'Сейчас здесь много посетителей. Страница откроется через несколько секунд.',
} as const satisfies Readonly<Record<Language, string>>;
