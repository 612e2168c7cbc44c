import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, isScalar, isSeq, parseDocument, stringify, visit } from 'yaml';
import { fileOfRows } from './file-of-rows.ts';
import { catalogMessages, writeMessagesFile } from './catalog-messages.ts';
import { writeMarkdown } from './markdown.ts';
import type { BrandRows } from './rows.ts';

/** Short lists and tables of numbers are written on one line. */
const onOneLine = new Set([
  'prices',
  'listPrices',
  'hosts',
  'languages',
  'currencies',
  'fields',
  'plans',
  'installments',
  'emailSuffix',
  'diallingCodes',
  'receiver',
]);

/** The files of a brand's folder by their relative paths. */
export function filesOfRows(
  rows: BrandRows,
  pictures: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, string | Uint8Array> {
  const background = groundOf(pictures.get(`/icons/${rows.brand.tenantId}/icon.svg`));
  const icon = background !== undefined && background !== rows.brand.themeColor ? { icon: { background } } : {};
  const files = new Map<string, string | Uint8Array>([['brand.yaml', writeYaml({ ...fileOfRows(rows), ...icon })]]);
  for (const [path, bytes] of pictures) {
    const place = placeOf(path.split('/').at(-1) ?? '');
    if (place !== undefined) files.set(place, bytes);
  }
  for (const { type, language, content } of rows.documents) {
    files.set(`documents/${type}.${language}.md`, writeMarkdown(content));
  }
  const known = rows.wordings.length > 0 ? catalogMessages() : new Map();
  for (const { language, messages } of rows.wordings) {
    files.set(`words/${language}.po`, writeMessagesFile(messages, language, known));
  }
  return files;
}

function writeYaml(value: object): string {
  const document = parseDocument(stringify(value, { lineWidth: 0 }));
  visit(document, {
    Pair: (_, { key, value: node }) => {
      if (isScalar(node) && typeof node.value === 'number' && !Number.isInteger(node.value)) node.minFractionDigits = 2;
      const isShort = isScalar(key) && onOneLine.has(String(key.value));
      if (isShort && isSeq(node) && node.items.every((item) => isScalar(item))) node.flow = true;
      if (isShort && isMap(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 110, flowCollectionPadding: true });
}

/** The background of the icons, from the SVG icon. */
function groundOf(icon: Uint8Array | undefined): string | undefined {
  return icon && /<rect[^>]* fill="(#[\da-fA-F]{6})"/.exec(new TextDecoder().decode(icon))?.[1];
}

/** Icons are generated from the logo again; other images belong to the brand. */
function placeOf(name: string): string | undefined {
  if (name === 'logo.svg') return name;
  return /^(wordmark|avatar|background|mobile-background)\.|-\d+x\d+\.png$/.test(name) ? `pictures/${name}` : undefined;
}

/** Writes the files; other files in the folder stay unchanged. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  for (const [path, content] of files) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}
