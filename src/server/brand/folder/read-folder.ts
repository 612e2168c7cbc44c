import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { languages, type Language } from '#contract/fields.ts';
import { dynamicConfigTypeSchema } from '#contract/site.ts';
import { contradictions, type Contradiction } from './contradictions.ts';
import { readMarkdown } from './markdown.ts';
import { problemsOf, readYaml, parseAsWritten, type Problem } from './read-yaml.ts';
import { readBrandMessages, catalogMessages, lineOfMessage, messageIdOf } from './catalog-messages.ts';
import { rowsOf, type BrandRows } from './rows.ts';
import { brandFileSchema, type BrandFile } from './schema.ts';
import { parsePo } from 'pofile-ts';
import { readPictures } from './read-pictures.ts';

/** A brand as read from its folder; no `file` where it cannot be parsed. */
export interface ReadBrand {
  readonly file?: BrandFile;
  /** present where all problems are remarks */
  readonly rows?: BrandRows;
  readonly problems: readonly Problem[];
}

const fileNames = ['brand.yaml', 'brand.yml', 'brand.json'];

/** Reads a brand's folder. Reports all problems at once, by file and line. */
export function readBrandFolder(folder: string): ReadBrand {
  const name = fileNames.find((one) => existsSync(join(folder, one)));
  if (name === undefined) return { problems: [{ file: 'brand.yaml', message: `is not in ${folder}` }] };
  const yaml = readYaml(name, readFileSync(join(folder, name)));
  if (yaml.value === undefined) return { problems: yaml.problems };
  const { parsed, oddNumbers } = parseAsWritten(brandFileSchema, yaml);
  if (!parsed.success) return { problems: [...yaml.problems, ...problemsOf(parsed.issues, name, yaml)] };
  const file = parsed.output;
  const faults: Contradiction[] = [...oddNumbers, ...contradictions(file)];
  const against = faults.map(({ path, message, remark }) => ({
    file: name,
    line: yaml.lineOf(path),
    message: `${path.join('.')}: ${message}`,
    ...(remark && { remark }),
  }));
  const documents = readDocuments(folder, file);
  const words = readAllWords(folder);
  const problems = [...yaml.problems, ...against, ...documents.problems, ...words.problems];
  const isWhole = problems.every(({ remark }) => remark);
  return {
    file,
    ...(isWhole && { rows: rowsOf(file, { documents: documents.rows, wordings: words.rows }) }),
    problems,
  };
}

/** The withdrawal period: the terms must say the same as the pay button. */
const daysMark = '{withdrawalDays}';

function readDocuments(folder: string, file: BrandFile) {
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
      const source = readFileSync(join(folder, place), 'utf8');
      const { document, problems: wrong } = readMarkdown(place, source, said);
      problems.push(...wrong);
      if (withdrawalDays === undefined && source.includes(daysMark))
        problems.push({
          file: place,
          message: `says ${daysMark}, and payment.withdrawalDays of the brand is not said`,
        });
      if (document) rows.push({ type, language, content: document });
    } else if (language === file.defaultLanguage) {
      problems.push({ file: place, message: 'is missing, and the default language has every document' });
    }
  }
  return { rows, problems };
}

const wordFile = /^([a-z]{2})\.po$/;

function readAllWords(folder: string) {
  const place = join(folder, 'words');
  const problems: Problem[] = [];
  const rows: BrandRows['wordings'][number][] = [];
  for (const name of existsSync(place) ? readdirSync(place).sort() : []) {
    const language: Language | undefined = languages.find((one) => one === wordFile.exec(name)?.[1]);
    const file = `words/${name}`;
    if (language === undefined) {
      problems.push({ file, message: `is for no language of the storefront: ${languages.join(', ')}` });
      continue;
    }
    const { messages, problems: wrong } = readBrandMessages(file, readFileSync(join(place, name), 'utf8'));
    problems.push(...wrong);
    if (Object.keys(messages).length > 0) rows.push({ language, messages });
  }
  return { rows, problems };
}

/**
 * As `readBrandFolder`, with the slower checks: whether each text exists, and what the images contain. Its rows include
 * the images.
 */
export async function checkFolder(folder: string): Promise<ReadBrand> {
  const { file, rows, problems: read } = readBrandFolder(folder);
  const { pictures, problems: seen } = file ? await readPictures(folder, file) : { pictures: [], problems: [] };
  const problems = [...read, ...seen, ...unknownWords(folder)];
  const isWhole = problems.every(({ remark }) => remark);
  return {
    ...(file && { file }),
    ...(rows && isWhole && { rows: { ...rows, pictures } }),
    problems: problems.toSorted((one, other) => Number(one.remark ?? false) - Number(other.remark ?? false)),
  };
}

/** A text that this version of the product does not have is never shown; an unknown placeholder is left blank. */
function unknownWords(folder: string): Problem[] {
  const place = join(folder, 'words');
  const files = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.po')) : [];
  if (files.length === 0) return [];
  const known = catalogMessages();
  return files.flatMap((name) => {
    const source = readFileSync(join(place, name), 'utf8');
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
