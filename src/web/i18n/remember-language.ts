import type { Language } from '../../contract/fields.ts';
import { languageKey } from '../storage/keys.ts';
import { activeLanguage } from './active.ts';

/** Keeps a choice for the next visit. */
export function rememberLanguage(language: Language): void {
  languageKey.set(language);
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is missing on older phones
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
}

/** Whoever pays or signs in in a language that the address has asked for is spoken to in it afterwards, too. */
export function keepLanguage(): void {
  rememberLanguage(activeLanguage());
}
