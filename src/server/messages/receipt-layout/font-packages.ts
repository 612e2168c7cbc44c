/**
 * The families of fallback fonts, each from a package `@fontsource-variable/<family>`. The first family that contains a
 * character draws it: fonts of scripts come before fonts of symbols.
 */
export const packagesInOrder = [
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
