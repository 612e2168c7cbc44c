import type { Language } from '../../contract/fields.ts';
import type { Brand } from '../brand/catalog.ts';
import { layOut, type MailText } from './mail-text.ts';

/** Words of a mail that is there for its link. */
export interface LinkWords {
  subject: (name: string) => string;
  intro: (name: string) => string;
  button: string;
  notes: readonly string[];
  closing: string;
}

/** Lays out a mail around a link of `makeMailLink`. */
export function linkMail(brand: Brand, language: Language, words: LinkWords, url: string): MailText {
  const { subject, intro, button, notes, closing } = words;
  return layOut(brand, language, {
    subject: subject(brand.name),
    paragraphs: [intro(brand.name)],
    button: { label: button, url },
    notes,
    closing,
  });
}
