import { fallbackFonts, type BaseFont, type Face, type FallbackFonts, type Weight, hanFamily } from './fonts.ts';

/** A grapheme cluster, with a face that can draw all of it. */
export interface Cluster {
  readonly text: string;
  readonly face: Face;
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Drawn in place of a character that no font contains. The base font contains it. */
const replacement = '\uFFFD';
const joiners = /[\u200C\u200D]/gu;
const invisible = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/gu;
/** Characters that change an emoji's colour or shape; they cannot be drawn in one colour. */
const emojiParts = /\u200D|\u20E3|\p{Emoji_Modifier}/gu;

/** Normalized text on one line, without characters that have no glyph. */
function drawable(text: string): string[] {
  const line = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\u2007\u202F]/gu, '\u00A0')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+|(?!\u00A0)\p{Zs}/gu, ' ');
  return Array.from(graphemes.segment(line), ({ segment }) => segment).flatMap((cluster) => {
    const visible = cluster.replaceAll(invisible, '');
    if (visible.replaceAll(joiners, '') === '') return [];
    if (!/\p{Extended_Pictographic}|\u20E3|\p{Regional_Indicator}/u.test(visible)) return visible;
    const plain = visible.replaceAll(emojiParts, '');
    return Array.from(plain || visible.replaceAll('\u200D', ''));
  });
}

const codePointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** Joiners affect shaping and have no glyph of their own: a font may lack them. */
const draws = (face: Face, cluster: string) => codePointsOf(cluster.replaceAll(joiners, '')).every(face.has);

function clusterIn(face: Face, text: string): Cluster {
  return { face, text: text.replaceAll(joiners, (joiner) => (face.has(joiner.codePointAt(0) ?? 0) ? joiner : '')) };
}

function inBase(base: BaseFont, text: string): Cluster | undefined {
  const [first = 0] = codePointsOf(text);
  const face = base(first);
  return face && draws(face, text) ? clusterIn(face, text) : undefined;
}

async function inFallback(
  fonts: FallbackFonts,
  text: string,
  family: string | undefined,
): Promise<Cluster | undefined> {
  const [first = 0] = codePointsOf(text);
  for (const candidate of fonts(first, family)) {
    // sequential: most characters are in the first file that declares them
    const face = await candidate();
    if (draws(face, text)) return clusterIn(face, text);
  }
  return undefined;
}

/**
 * Finds faces for a cluster: for the whole, else for its characters, else for their compatibility forms, else the
 * replacement.
 */
async function found(text: string, find: (text: string) => Promise<Cluster | undefined>): Promise<Cluster[]> {
  const whole = await find(text);
  if (whole) return [whole];
  const characters = Array.from(text);
  if (characters.length > 1) {
    const parts = await Promise.all(characters.map((character) => found(character, find)));
    const drawn = parts.flat().filter((part) => part.text !== replacement);
    // a combining mark that no font contains does not hide its letter
    if (drawn.length > 0) return drawn;
  }
  // styled letters, which Unicode encodes for mathematics, are common in names
  const plain = text.normalize('NFKC');
  if (plain !== text) return found(plain, find);
  const missing = await find(replacement);
  return missing ? [missing] : [];
}

interface StyledText {
  readonly text: string;
  readonly weight: Weight;
}

/** Divides texts into clusters with their faces. Fallback fonts are loaded only for what the base font cannot draw. */
export async function clustersOf(
  base: BaseFont,
  texts: readonly StyledText[],
  openFallback: () => Promise<FallbackFonts> = fallbackFonts,
): Promise<ReadonlyMap<string, readonly Cluster[]>> {
  let fonts: FallbackFonts | undefined;
  const clusters = new Map<string, Cluster[]>();
  for (const { text } of texts) {
    const family = hanFamily(text);
    const find = async (part: string) => {
      const known = inBase(base, part);
      if (known) return known;
      fonts ??= await openFallback();
      return inFallback(fonts, part, family);
    };
    const parts: Cluster[] = [];
    for (const part of drawable(text)) parts.push(...(await found(part, find)));
    clusters.set(text, parts);
  }
  for (const weight of ['400', '700'] as const) {
    await prepareFaces(
      weight,
      texts.filter((one) => one.weight === weight).flatMap(({ text }) => clusters.get(text) ?? []),
    );
  }
  return clusters;
}

async function prepareFaces(weight: Weight, clusters: readonly Cluster[]): Promise<void> {
  const texts = new Map<Face, string>();
  for (const { face, text } of clusters) texts.set(face, (texts.get(face) ?? '') + text);
  for (const [face, text] of texts) await face.prepare?.(weight, text);
}
