// Checks the message catalogues without touching them: everything extracted, translated, and fit to run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copies = join(root, '.cache/catalogues');
const faults = [];

/** Extracts into copies, so that a check never changes the tree. */
function extractAside() {
  rmSync(copies, { recursive: true, force: true });
  mkdirSync(copies, { recursive: true });
  cpSync(join(root, 'locales'), join(copies, 'locales'), { recursive: true });
  const file = join(copies, 'lingui.config.ts');
  writeFileSync(
    file,
    `import config from ${JSON.stringify(join(root, 'lingui.config.ts'))};
const aside = (path) => path.replace('<rootDir>', ${JSON.stringify(copies)});
const catalogs = config.catalogs.map((catalog) => ({ ...catalog, path: aside(catalog.path) }));
export default { ...config, rootDir: ${JSON.stringify(root)}, catalogs };
`,
  );
  const { status, stdout, stderr } = spawnSync('lingui', ['extract', '--clean', '--config', file], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`lingui extract failed\n${stdout}${stderr}`);
}

/** A file that is not there yet has no messages: each is then told as not extracted. */
const catalogue = async (file, locale) => (existsSync(file) ? parsePo(file, locale) : {});

const parsePo = (file, locale) =>
  formatter().parse(readFileSync(file, 'utf8'), { locale, sourceLocale: 'en', filename: file });

/** What must be the same in every language: the names of values and the numbers of tags, wherever they stand. */
function slots(tokens) {
  return new Set(
    tokens.flatMap((token) => {
      if (typeof token === 'string') return token.match(/<\/?\d+\/?>/g) ?? [];
      const [name, , branches] = token;
      return [
        `{${name}}`,
        ...Object.values(branches ?? {}).flatMap((part) => (Array.isArray(part) ? [...slots(part)] : [])),
      ];
    }),
  );
}

function parse(id, language, text) {
  try {
    return [compileMessageOrThrow(text)].flat();
  } catch (error) {
    faults.push(`${language}: "${id}" does not parse: ${error.message}`);
    return [];
  }
}

/** The plural forms that whole numbers take in a language, as far as the storefront counts. */
function formsOf(language) {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 1001 }, (_, number) => rules.select(number)))];
}

function compare(id, language, source, translation) {
  const wanted = slots(parse(id, 'en', source));
  const compiled = parse(id, language, translation);
  const found = slots(compiled);
  const missing = [...wanted].filter((slot) => !found.has(slot));
  const extra = [...found].filter((slot) => !wanted.has(slot));
  if (missing.length || extra.length) {
    faults.push(`${language}: "${id}" lacks [${missing.join(' ')}] and adds [${extra.join(' ')}]`);
  }
  const plural = compiled.find((token) => Array.isArray(token) && token[1] === 'plural');
  const lacking = plural ? formsOf(language).filter((form) => !plural[2][form]) : [];
  if (lacking.length) faults.push(`${language}: "${id}" lacks the forms ${lacking.join(', ')}`);
}

function sameIds(language, kept, fresh) {
  for (const id of Object.keys(fresh))
    if (!kept[id]) faults.push(`${language}: not extracted: "${fresh[id].message ?? id}"`);
  for (const id of Object.keys(kept)) if (!fresh[id]) faults.push(`${language}: no longer used: "${id}"`);
}

/** "e-" at the end of a line and "mail" on the next is not read as one word: on a page it takes U+2011 to keep them together. */
function staysWhole(id, language, translation) {
  if (language === 'pt' && /\s/.test(translation) && /\be-mail/i.test(translation))
    faults.push(`pt: "${id}" can break inside "e-mail"`);
}

/** Checks the catalogues of one folder; answers with the English words by id. */
async function check(folder) {
  const fileOf = (base, language) => join(base, folder, `${language}.po`);
  const english = await catalogue(fileOf(copies, 'en'), 'en');
  for (const language of languages) {
    const kept = await catalogue(fileOf(root, language), language);
    sameIds(language, kept, await catalogue(fileOf(copies, language), language));
    for (const [id, entry] of Object.entries(kept)) {
      const source = english[id]?.translation;
      if (entry.obsolete) faults.push(`${language}: obsolete: "${id}"`);
      else if (!entry.translation) faults.push(`${language}: not translated: "${entry.message ?? id}"`);
      else if (source) compare(id, language, source, entry.translation);
      if (!folder.endsWith('server')) staysWhole(id, language, entry.translation);
    }
  }
  return english;
}

const { default: config } = await import('../lingui.config.ts');
const languages = config.locales;
const { errors } = await import('../src/contract/error-codes.ts');
extractAside();
const words = {};
for (const { path } of config.catalogs) Object.assign(words, await check(dirname(path.replace('<rootDir>/', ''))));
for (const { code } of Object.values(errors))
  if (!words[`errCode.${code}`]) faults.push(`en: no words for error code ${code}`);

if (faults.length) {
  console.error(`${faults.length} faults in locales/ (npm run i18n extracts what is new):\n${faults.join('\n')}`);
  process.exitCode = 1;
} else {
  console.log(`${Object.keys(words).length} messages in ${languages.length} languages`);
}
