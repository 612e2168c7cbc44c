import type { Language } from '../../../contract/fields.ts';
import type { StoredDocument } from '../stored-document.ts';
import { english } from './documents/en.ts';
import { portuguese } from './documents/pt.ts';
import { russian } from './documents/ru.ts';
import { spanish } from './documents/es.ts';
import { englishHelp } from './help/en.ts';
import { portugueseHelp } from './help/pt.ts';
import { russianHelp } from './help/ru.ts';
import { spanishHelp } from './help/es.ts';

export type DocumentType = 'privacy' | 'terms' | 'help';

/** A document without its date; `{name}` is the brand, `{mail}` its address for help. */
export type Draft = Omit<StoredDocument, 'updatedAt'>;

/** Documents that name no way to pay: their title and `[heading, ...paragraphs]` rows. */
export type Policies = Readonly<Record<'privacy' | 'terms', Policy>>;

interface Policy {
  readonly title: string;
  readonly sections: readonly (readonly [heading: string, ...paragraphs: string[]])[];
}

const policies: Record<Language, Policies> = { en: english, pt: portuguese, es: spanish, ru: russian };
const help: Record<Language, Draft> = { en: englishHelp, pt: portugueseHelp, es: spanishHelp, ru: russianHelp };

/** 1 November 2026: the texts are as old as that. */
const updatedAt = Date.UTC(2026, 10, 1);

/** One of the demo brand's documents, with the brand's name in it. */
export function documentFor(
  type: DocumentType,
  language: Language,
  brand: { name: string; config: { helpShowEmail?: string | undefined } },
): StoredDocument {
  const { title, sections } = type === 'help' ? help[language] : draftOf(policies[language][type]);
  const said = (text: string) =>
    text.replaceAll('{name}', brand.name).replaceAll('{mail}', brand.config.helpShowEmail ?? '');
  return {
    title,
    updatedAt,
    sections: sections.map((section) => ({
      ...section,
      paragraphs: section.paragraphs.map((paragraph) =>
        typeof paragraph === 'string' ? said(paragraph) : { ...paragraph, text: said(paragraph.text) },
      ),
    })),
  };
}

function draftOf({ title, sections }: Policy): Draft {
  return { title, sections: sections.map(([heading, ...paragraphs]) => ({ heading, paragraphs })) };
}
