import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font } from 'fontkit';
import * as v from 'valibot';

export type Weight = '400' | '700';

/** One file of a font family; it contains some of its characters. */
export interface Face {
  /** Unique within a document. */
  readonly id: string;
  readonly has: (codePoint: number) => boolean;
  /** Must be called before a text is drawn with this face. */
  readonly prepare?: (weight: Weight, text: string) => Promise<void>;
  readonly font: (weight: Weight) => Font;
}

/** Reads a file of a fallback font that declares a character. */
type Candidate = () => Promise<Face>;

interface Part {
  readonly family: string;
  readonly name: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** The parts of the base font: the languages of the storefront, and names in any Latin letters. */
const baseParts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const;

/** Subsets whose characters the base font also contains. */
const ofBase = /^(latin|cyrillic|greek|vietnamese)/;

const ofPackage = (path: string) => fileURLToPath(import.meta.resolve(path));

async function partsOf(scope: string, family: string): Promise<Part[]> {
  const text = await readFile(ofPackage(`${scope}/${family}/unicode.json`), 'utf8');
  const parts = v.parse(v.record(v.string(), v.string()), JSON.parse(text));
  return Object.entries(parts).map(([name, listed]) => ({ family, name, ranges: listed.split(',').map(rangeOf) }));
}

function rangeOf(range: string): readonly [number, number] {
  const [from = '', to = from] = range.replace('U+', '').split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}

const declares = ({ ranges }: Part, codePoint: number) =>
  ranges.some(([from, to]) => codePoint >= from && codePoint <= to);

/** fontkit, too, is loaded with the first receipt. */
async function opener(): Promise<(bytes: Buffer) => Font> {
  const { create } = await import('fontkit');
  // as: fontkit also declares collections, which a web font file never is
  return (bytes) => create(bytes) as Font;
}

/** Fonts are opened on first use, because each text needs few of them. */
function baseFace(id: string, open: (weight: Weight) => Font): Face {
  const fonts = new Map<Weight, Font>();
  const font = (weight: Weight) => {
    const known = fonts.get(weight) ?? open(weight);
    fonts.set(weight, known);
    return known;
  };
  return { id, font, has: (codePoint) => font('400').hasGlyphForCodePoint(codePoint) };
}

interface BaseFile {
  readonly part: Part;
  readonly bytes: Readonly<Record<Weight, Buffer>>;
}

/** Read with the first receipt, because most processes draw none. */
let baseFiles: Promise<readonly BaseFile[]> | undefined;

async function readBase(): Promise<readonly BaseFile[]> {
  const parts = await partsOf('@fontsource', 'noto-sans');
  const known = baseParts.flatMap((name) => parts.filter((part) => part.name === name));
  const bytes = (name: string, weight: Weight) =>
    readFile(ofPackage(`@fontsource/noto-sans/files/noto-sans-${name}-${weight}-normal.woff`));
  return Promise.all(
    known.map(async (part) => ({
      part,
      bytes: { '400': await bytes(part.name, '400'), '700': await bytes(part.name, '700') },
    })),
  );
}

/** Finds the face of the base font that contains a character. */
export type BaseFont = (codePoint: number) => Face | undefined;

/** The base font for one document. Fonts store the glyphs that were drawn, so documents cannot share them. */
export async function baseFont(): Promise<BaseFont> {
  baseFiles ??= readBase();
  const [files, opened] = await Promise.all([baseFiles, opener()]);
  const faces = files.map(({ part, bytes }) => ({
    part,
    face: baseFace(part.name, (weight) => opened(bytes[weight])),
  }));
  return (codePoint) => faces.find((one) => declares(one.part, codePoint) && one.face.has(codePoint))?.face;
}

/** Read with the first text that the base font cannot draw. */
let fallbackParts: Promise<readonly Part[]> | undefined;

async function readFallbackParts(): Promise<readonly Part[]> {
  const parts = await Promise.all(packagesInOrder.map((family) => partsOf('@fontsource-variable', family)));
  return parts.flat().filter(({ name }) => !ofBase.test(name));
}

async function loadPart({ family, name }: Part): Promise<Face> {
  const id = `${family}-${name.replaceAll(/[[\]]/g, '')}`;
  const [{ default: woff2 }, { default: subsetFont }, { shapedFont }, packed] = await Promise.all([
    import('wawoff2'),
    import('subset-font'),
    import('./shaped-font.ts'),
    readFile(ofPackage(`@fontsource-variable/${family}/files/${id}-wght-normal.woff2`)),
  ]);
  const bytes = Buffer.from(await woff2.decompress(packed));
  const all = (await opener())(bytes);
  const fonts = new Map<Weight, Font>();
  return {
    id,
    has: (codePoint) => all.hasGlyphForCodePoint(codePoint),
    // fontkit cannot embed a variable font, so each weight becomes a static font of the characters that are drawn
    prepare: async (weight, text) => {
      // shaping decomposes some letters, such as Thai U+0E33
      const drawn = text + text.normalize('NFKD');
      const options = { targetFormat: 'truetype', variationAxes: { wght: Number(weight) } } as const;
      fonts.set(weight, shapedFont(await subsetFont(bytes, drawn, options)));
    },
    font: (weight) => fonts.get(weight) ?? all,
  };
}

/** Finds the files of fallback fonts that declare a character, families of `preferred` first. */
export type FallbackFonts = (codePoint: number, preferred?: string) => Candidate[];

/** The fallback fonts for one document. Each file is read once, on first use. */
export async function fallbackFonts(): Promise<FallbackFonts> {
  fallbackParts ??= readFallbackParts();
  const parts = await fallbackParts;
  const loaded = new Map<Part, Promise<Face>>();
  const load = (part: Part) => {
    const known = loaded.get(part) ?? loadPart(part);
    loaded.set(part, known);
    return known;
  };
  return (codePoint, preferred) => {
    const found = parts.filter((part) => declares(part, codePoint));
    const ordered = [...found.filter(({ family }) => family === preferred), ...found];
    return ordered.map((part) => () => load(part));
  };
}

/**
 * The families of fallback fonts, each from a package `@fontsource-variable/<family>`. The first family that contains a
 * character draws it: fonts of scripts come before fonts of symbols.
 */
const packagesInOrder = [
  'noto-sans-sc',
  'noto-sans-tc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-malayalam',
  'noto-sans-oriya',
  'noto-sans-sinhala',
  'noto-sans-khmer',
  'noto-sans-lao',
  'noto-sans-myanmar',
  'noto-sans-ethiopic',
  'noto-sans-georgian',
  'noto-sans-armenian',
  'noto-sans-thaana',
  'noto-emoji',
  'noto-sans-symbols',
] as const;

const han = /\p{Script=Han}/u;

/**
 * Legacy character sets of the regions that write Han characters, with the family of each, ordered by number of
 * writers.
 */
const regions = [
  { label: 'gbk', lead: 0xb0, trail: 0xa1, family: 'noto-sans-sc' },
  { label: 'big5', lead: 0xa1, trail: 0x40, family: 'noto-sans-tc' },
  { label: 'shift_jis', lead: 0x81, trail: 0x40, family: 'noto-sans-jp' },
  { label: 'euc-kr', lead: 0xa1, trail: 0xa1, family: 'noto-sans-kr' },
] as const;

let sets: readonly { readonly family: string; readonly characters: ReadonlySet<string> }[] | undefined;

/**
 * All two-byte characters from a lead and a trail byte on. From 0xb0 and 0xa1, GBK is GB 2312: simplified forms only.
 */
function charactersOf({ label, lead, trail }: (typeof regions)[number]): ReadonlySet<string> {
  const decoder = new TextDecoder(label);
  const bytes: number[] = [];
  for (let first = lead; first <= 0xf7; first += 1) {
    for (let second = trail; second <= 0xfe; second += 1) bytes.push(first, second);
  }
  return new Set(Array.from(decoder.decode(Uint8Array.from(bytes))).filter((character) => han.test(character)));
}

/**
 * The family whose Han forms suit a text. Unicode has one code for forms that differ by region, so kana decides, then
 * hangul, then the first region whose character set contains all Han characters of the text.
 */
export function hanFamily(text: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'noto-sans-jp';
  if (/\p{Script=Hangul}/u.test(text)) return 'noto-sans-kr';
  const characters = Array.from(text).filter((character) => han.test(character));
  if (characters.length === 0) return undefined;
  sets ??= regions.map((region) => ({ family: region.family, characters: charactersOf(region) }));
  return sets.find((set) => characters.every((character) => set.characters.has(character)))?.family;
}
