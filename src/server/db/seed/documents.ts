import type { Language } from '../../../contract/fields.ts';
import type { Document } from '../../../contract/site.ts';
import { english } from './documents/en.ts';
import { portuguese } from './documents/pt.ts';
import { russian } from './documents/ru.ts';
import { spanish } from './documents/es.ts';

export type DocumentType = 'privacy' | 'terms' | 'help';

/** A document as its title and `[heading, ...paragraphs]` rows; `{name}` is the brand, `{mail}` its address for help. */
export interface Draft {
  readonly title: string;
  readonly sections: readonly (readonly [heading: string, ...paragraphs: string[]])[];
}
export type Drafts = Readonly<Record<DocumentType, Draft>>;

const drafts: Record<Language, Drafts> = { en: english, pt: portuguese, es: spanish, ru: russian };

/** 1 November 2026: the texts are as old as that. */
const updatedAt = Date.UTC(2026, 10, 1);

/** One of the demo brand's documents, with the brand's name in it. */
export function documentFor(
  type: DocumentType,
  language: Language,
  brand: { name: string; config: { helpShowEmail?: string | undefined } },
): Document {
  const { title, sections } = drafts[language][type];
  const said = (text: string) =>
    text.replaceAll('{name}', brand.name).replaceAll('{mail}', brand.config.helpShowEmail ?? '');
  return {
    title,
    updatedAt,
    sections: sections.map(([heading, ...paragraphs]) => ({ heading, paragraphs: paragraphs.map(said) })),
  };
}
