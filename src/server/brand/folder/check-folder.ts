import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePo } from 'pofile-ts';
import { knownWords } from './known-words.ts';
import { readBrandFolder, type ReadBrand } from './read-folder.ts';
import { readPictures } from './read-pictures.ts';
import type { Problem } from './read-yaml.ts';
import { lineOfWords, messageIdOf } from './read-words.ts';

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
  const known = knownWords();
  return files.flatMap((name) => {
    const source = readFileSync(join(place, name), 'utf8');
    const items = parsePo(source).items.filter(({ msgid, obsolete }) => msgid !== '' && !obsolete);
    return items.flatMap((item) => {
      const text = known.get(messageIdOf(item));
      const message = text
        ? blanksOf(item.msgstr[0] ?? '', text.english)
        : 'no text of the storefront has this name or these words any more';
      const at = { file: `words/${name}`, line: lineOfWords(source, item.msgid) };
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
