import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import * as v from 'valibot';
import { languages } from '#contract/fields.ts';
import { dynamicConfigTypeSchema } from '#contract/documents.ts';
import { canonicalHost } from '#server/runtime/service-url.ts';
import type { Contradiction } from './contradictions.ts';
import { readYaml, type Problem } from './read-yaml.ts';
import type { BrandFile } from './schema.ts';
import { didYouMean } from './near-names.ts';
import { decodeUtf8 } from './yaml-hazards.ts';

/** The first of them that exists is read. */
const brandFileNames = ['brand.yaml', 'brand.yml', 'brand.json'] as const;

/** Files of systems, editors and version control, and notes for people. */
const isIgnored = (name: string) => /^\.|~$|^readme\b|^(thumbs\.db|desktop\.ini)$/i.test(name);

/** Undefined where there is nothing that can be read. A link counts as what it leads to. */
function kindOf(place: string): 'file' | 'folder' | undefined {
  try {
    const isFolder = statSync(place).isDirectory();
    accessSync(place, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK);
    return isFolder ? 'folder' : 'file';
  } catch {
    // missing, a loop of links, or in a neighbouring folder of another user
    return undefined;
  }
}

/** The name of the file that describes the brand of a folder. */
export const brandFileIn = (folder: string): string | undefined =>
  brandFileNames.find((name) => kindOf(join(folder, name)) === 'file');

/** The names in a folder by kind, in alphabetical order; none where it does not exist. */
function namesIn(place: string, kind: 'file' | 'folder'): string[] {
  if (kindOf(place) !== 'folder') return [];
  const names = readdirSync(place).filter((name) => !isIgnored(name) && kindOf(join(place, name)) === kind);
  return names.sort();
}

export const filesIn = (place: string): string[] => namesIn(place, 'file');

/** Why a folder is not one of a brand. */
export function missingBrandFile(folder: string): Problem {
  const [file] = brandFileNames;
  if (kindOf(folder) !== 'folder')
    return { file, message: `is not there: ${folder} is ${kindOf(folder) === 'file' ? 'a file' : 'no folder'}` };
  return { file, message: `is missing or cannot be read${didYouMean(file, namesIn(folder, 'file'))}` };
}

/** The text of a file without a byte order mark and with the line ends of Unix, or why it cannot be read. */
export function readText(folder: string, file: string): { text: string; problems: Problem[] } {
  const { text, badLine } = decodeUtf8(readFileSync(join(folder, file)));
  const message = 'is not UTF-8 here; save it as UTF-8 in the editor';
  const problems = badLine === undefined ? [] : [{ file, line: badLine, message }];
  return { text: text.replaceAll('\r\n', '\n'), problems };
}

const documentNames = dynamicConfigTypeSchema.options.flatMap((type) =>
  languages.map((language) => `${type}.${language}.md`),
);

/** Files that would not be read, although their place or name suggests it. */
export function unreadFiles(folder: string, file: BrandFile): Problem[] {
  const [documents = ''] = normalize(file.documents).split('/');
  const kinds: Readonly<Record<string, 'file' | 'folder'>> = {
    'logo.svg': 'file',
    pictures: 'folder',
    words: 'folder',
    [documents]: 'folder',
  };
  const brandFile = brandFileIn(folder) ?? '';
  const names = readdirSync(folder).filter((name) => !isIgnored(name));
  const found = names.flatMap((name): Problem[] => {
    const kind = kindOf(join(folder, name));
    if (name === brandFile || kind === undefined || kinds[name] === kind) return [];
    if (documents === '.' && documentNames.includes(name)) return [];
    const message =
      kinds[name] === undefined
        ? unknownName(name, { brandFile, documents: file.documents, known: Object.keys(kinds) })
        : `is a ${kind}, and must be a ${kinds[name]}`;
    return [{ file: name, message }];
  });
  return [...found, ...unreadDocuments(folder, file), ...foldersIn(folder, ['pictures', 'words'])].sort((one, other) =>
    one.file < other.file ? -1 : 1,
  );
}

interface Around {
  readonly brandFile: string;
  readonly documents: string;
  readonly known: readonly string[];
}

function unknownName(name: string, { brandFile, documents, known }: Around): string {
  if (/^brand\.(ya?ml|json)$/i.test(name)) return `is not read, because ${brandFile} is; remove one of them`;
  if (/^logo\b/i.test(name)) return 'is not read: the logo is a square drawing of paths with the name logo.svg';
  if (name === 'documents') return `is not read, because documents in ${brandFile} is ${documents}`;
  const parts = `${brandFile}, logo.svg, documents, pictures and words`;
  return `is not known here: a brand has ${parts}${didYouMean(name, known)}`;
}

/**
 * Documents outside of the folder are shared with other brands, which may have more languages. Those directly in it are
 * beside other files, which are checked already.
 */
function unreadDocuments(folder: string, { documents }: BrandFile): Problem[] {
  const place = normalize(documents);
  if (place.startsWith('.')) return [];
  const unknown = filesIn(join(folder, place)).filter((name) => !documentNames.includes(name));
  return [
    ...unknown.map((name) => ({
      file: join(place, name),
      message: `is not read: documents are named as terms.en.md${didYouMean(name, documentNames)}`,
    })),
    ...foldersIn(folder, [place]),
  ];
}

const foldersIn = (folder: string, places: readonly string[]): Problem[] =>
  places.flatMap((place) =>
    namesIn(join(folder, place), 'folder').map((name) => ({
      file: join(place, name),
      message: 'is a folder, and only files are read here',
    })),
  );

/**
 * A folder that was copied from another brand and still has its code or hosts: it would be applied to that brand. An
 * exported brand may be in a folder of any name, so this is no fault of `brand apply`.
 */
export function copiedParts(folder: string, { code, hosts }: BrandFile): Contradiction[] {
  const name = basename(resolve(folder));
  const others = brandsBeside(folder);
  const twin = others.find((other) => other.code === code);
  const isCopy = name.toLowerCase() !== code;
  const remedy = `if the folder is a copy, give it a code of its own; if it is the brand ${code}, name the folder ${code}`;
  const beside = twin === undefined ? '' : `, and the folder ${twin.name} beside it has the same code`;
  return [
    ...(isCopy ? [{ path: ['code'], message: `is ${code}, and the folder is named ${name}${beside}: ${remedy}` }] : []),
    ...others
      .filter((other) => other.code !== code)
      .flatMap((other) => hosts.filter((host) => other.hosts.includes(host)).map((host) => ({ host, other })))
      .map(({ host, other }) => ({
        path: ['hosts', hosts.indexOf(host)],
        message: `${host} is also a host of ${other.code} in the folder ${other.name} beside it; a host belongs to one brand`,
      })),
  ];
}

const otherBrandSchema = v.object({ code: v.string(), hosts: v.array(v.string()) });

interface OtherBrand extends v.InferOutput<typeof otherBrandSchema> {
  /** of its folder */
  readonly name: string;
}

/** The brands in the folders beside this one, as far as they can be read; their own check reports what is wrong. */
function brandsBeside(folder: string): OtherBrand[] {
  const own = resolve(folder);
  return namesIn(dirname(own), 'folder').flatMap((name) => {
    const place = join(dirname(own), name);
    const file = place === own ? undefined : brandFileIn(place);
    if (file === undefined) return [];
    const read = v.safeParse(otherBrandSchema, readYaml(file, readFileSync(join(place, file))).value);
    if (!read.success) return [];
    const { code, hosts } = read.output;
    return [{ name, code, hosts: hosts.map((host) => canonicalHost(host)?.name ?? host) }];
  });
}
