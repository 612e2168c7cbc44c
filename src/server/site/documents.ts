import { type Language, ownPathSchema } from '#contract/fields.ts';
import type { Brand, MethodRow } from '#server/brand/catalog.ts';
import * as v from 'valibot';
import { matchPath } from '#contract/paths.ts';
import type { Document } from '#contract/documents.ts';
import type { StoredDocument } from '#server/db/connect.ts';

/** Text in the requested language, else in the brand's default language, else in any. */
export function localize<T>(texts: Partial<Record<Language, T>>, language: Language, brand: Brand): T | undefined {
  return texts[language] ?? texts[brand.config.defaultLang] ?? Object.values(texts)[0];
}

/** A document for customers of the brand: only the parts about the methods that it offers. */
export function documentForBrand(
  brand: Brand,
  offered: readonly MethodRow[],
  stored: StoredDocument,
  language: Language,
): Document {
  const codes = new Set(offered.map(({ code }) => code));
  const fits = (methods: readonly string[] | undefined) =>
    methods === undefined || methods.some((code) => codes.has(code));
  const names = new Intl.ListFormat(language).format(
    offered.map((method) => localize(method.names, language, brand) ?? method.code),
  );
  return {
    title: stored.title,
    updatedAt: stored.updatedAt,
    sections: stored.sections
      .filter((section) => fits(section.methods))
      .map(({ heading, paragraphs, link }) => ({
        heading,
        paragraphs: paragraphs
          .map((paragraph) => (typeof paragraph === 'string' ? { text: paragraph, methods: undefined } : paragraph))
          .filter(({ text, methods }) => fits(methods) && (offered.length > 0 || !text.includes('{methods}')))
          .map(({ text }) => text.replaceAll('{methods}', names)),
        ...(link && isOwnPage(link.to) && { link }),
      })),
  };
}

/** Whether customers can open the page; an operator may have mistyped or copied it. */
function isOwnPage(to: string): boolean {
  return v.is(ownPathSchema, to) && matchPath(new URL(to, 'https://own.invalid').pathname) !== undefined;
}
