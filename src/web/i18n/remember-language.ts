import type { Language } from '../../contract/fields.ts';
import { languageKey } from '../storage/keys.ts';
import { activeLanguage } from './active.ts';

/** Keeps a choice for the next visit. */
export function rememberLanguage(language: Language): void {
  languageKey.set(language);
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing on older phones
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** Leaves for another party's page. Whoever comes back, by its way or by the Back button, is spoken to as before. */
export function leaveFor(address: string): void {
  rememberLanguage(activeLanguage());
  location.assign(address);
}
