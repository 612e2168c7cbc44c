import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { parsePo } from 'pofile-ts';
import { languages, type Language } from '#contract/fields.ts';
import { dynamicConfigTypeSchema } from '#contract/documents.ts';
import { readBrandMessages, catalogMessages, lineOfMessage, messageIdOf } from './catalog-messages.ts';
import { filesIn, readText } from './folder-files.ts';
import { readMarkdown } from './markdown.ts';
import type { Problem } from './read-yaml.ts';
import type { BrandRows } from './rows.ts';
import type { BrandFile } from './schema.ts';
import { didYouMean } from './near-names.ts';

/** The withdrawal period: the terms must say the same as the pay button. */
const daysMark = '{withdrawalDays}';

export function readDocuments(folder: string, file: BrandFile) {
  const problems: Problem[] = [];
  const rows: BrandRows['documents'][number][] = [];
  const { withdrawalDays } = file.payment;
  const said = (text: string) =>
    text
      .replaceAll('{name}', file.name)
      .replaceAll('{mail}', file.contact.email ?? '')
      .replaceAll(daysMark, String(withdrawalDays));
  const all = dynamicConfigTypeSchema.options.flatMap((type) => languages.map((language) => ({ type, language })));
  for (const { type, language } of all) {
    const place = normalize(join(file.documents, `${type}.${language}.md`));
    if (existsSync(join(folder, place))) {
      const { text: source, problems: unread } = readText(folder, place);
      const { document, problems: wrong } = readMarkdown(place, source, said);
      problems.push(...(unread.length > 0 ? unread : wrong));
      if (withdrawalDays === undefined && source.includes(daysMark))
        problems.push({
          file: place,
          message: `says ${daysMark}, and payment.withdrawalDays of the brand is missing`,
        });
      if (document && unread.length === 0) rows.push({ type, language, content: document });
    } else if (file.languages.includes(language)) {
      const remedy = `write it, or remove ${language} from the languages`;
      problems.push({
        file: place,
        message: `is missing, and every language of the brand has this document: ${remedy}`,
      });
    } else if (language === file.defaultLanguage) {
      problems.push({ file: place, message: 'is missing, and the default language has every document' });
    }
  }
  return { rows, problems };
}

const wordFile = /^([a-z]{2})\.po$/;

export function readAllWords(folder: string) {
  const place = join(folder, 'words');
  const problems: Problem[] = [];
  const rows: BrandRows['wordings'][number][] = [];
  for (const name of filesIn(place)) {
    const language: Language | undefined = languages.find((one) => one === wordFile.exec(name)?.[1]);
    const file = `words/${name}`;
    if (language === undefined) {
      const known = languages.map((one) => `${one}.po`);
      const hint = didYouMean(name, known);
      problems.push({ file, message: `is for no language of the storefront: it is named ${known.join(', ')}${hint}` });
      continue;
    }
    const { text, problems: unread } = readText(folder, file);
    const { messages, problems: wrong } = readBrandMessages(file, text);
    problems.push(...(unread.length > 0 ? unread : wrong));
    if (Object.keys(messages).length > 0) rows.push({ language, messages });
  }
  return { rows, problems };
}

/** A text that this version of the product does not have is never shown; an unknown placeholder is left blank. */
export function unknownWords(folder: string): Problem[] {
  const place = join(folder, 'words');
  const files = filesIn(place).filter((name) => name.endsWith('.po'));
  if (files.length === 0) return [];
  const known = catalogMessages();
  return files.flatMap((name) => {
    const { text: source } = readText(folder, `words/${name}`);
    const items = parsePo(source).items.filter(({ msgid, obsolete }) => msgid !== '' && !obsolete);
    return items.flatMap((item) => {
      const text = known.get(messageIdOf(item));
      const message = text
        ? blanksOf(item.msgstr[0] ?? '', text.english)
        : 'no text of the storefront has this name or these words any more';
      const at = { file: `words/${name}`, line: lineOfMessage(source, item.msgid) };
      return message === undefined ? [] : [{ ...at, message: `"${item.msgid}": ${message}`, remark: true as const }];
    });
  });
}

const valuesIn = (text: string) =>
  [...text.matchAll(/\{(\w+)(?=[},])|<\/?\d+\/?>/g)].map(([found, name]) => name ?? found);

function blanksOf(own: string, english: string): string | undefined {
  const known = new Set(valuesIn(english));
  const unknown = [...new Set(valuesIn(own))].filter((value) => !known.has(value));
  return unknown.length > 0 ? `there is no ${unknown.join(', ')} in it, so that stays blank` : undefined;
}
