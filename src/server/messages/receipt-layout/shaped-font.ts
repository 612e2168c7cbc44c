import { create, type Font } from 'fontkit';
import * as harfbuzz from 'harfbuzzjs';

/**
 * A font whose text is shaped by HarfBuzz. fontkit, which embeds it, has shapers too, but they throw on marks of some
 * scripts (a missing anchor) and draw others without their conjuncts.
 */
export function shapedFont(bytes: Buffer): Font {
  // as: fontkit also declares collections, which a web font file never is
  const font = create(bytes) as Font;
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)));
  const layout = (text: string) => {
    const buffer = new harfbuzz.Buffer();
    // copied text contains vowels and marks that have a glyph of their own
    buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS);
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(shaper, buffer);
    return glyphRun(font, text, buffer);
  };
  // as: fontkit's types leave out the internals of its subsets
  const subsetOf = font.createSubset.bind(font) as unknown as () => Subset;
  return Object.assign(font, { layout, createSubset: () => withCopies(subsetOf()) });
}

interface Subset {
  readonly glyphs: number[];
  readonly includeGlyph: (glyph: number) => number;
}

/** A zero-width space. Some readers copy a control character for a glyph without text. */
const noText = '\u200B';

/** The identity of a glyph in a subset: characters that share a glyph get one copy each. */
const keyOf = (glyph: number, text: string) => `${glyph} ${text}`;

/**
 * A subset that contains a glyph once for each text that it represents. A PDF maps each glyph to one text, but fonts
 * draw many Arabic letters as one shape plus dots, and text copied from a receipt has to be what was typed.
 */
function withCopies(subset: Subset): Subset {
  const copies = new Map<string, number>();
  const include = subset.includeGlyph.bind(subset);
  const includeGlyph = (glyph: number | string) => {
    // components of a composite glyph are passed by number
    if (typeof glyph !== 'string') return include(glyph);
    const known = copies.get(glyph) ?? subset.glyphs.push(Number.parseInt(glyph, 10)) - 1;
    copies.set(glyph, known);
    return known;
  };
  return Object.assign(subset, { includeGlyph });
}

/** The part of fontkit's GlyphRun that pdfkit reads. pdfkit scales the positions in place before it reads the width. */
function glyphRun(font: Font, text: string, buffer: harfbuzz.Buffer) {
  const infos = buffer.getGlyphInfos();
  const positions = buffer.getGlyphPositions().map((position) => ({ ...position }));
  const texts = textsOf(text, infos, positions);
  const glyphs = infos.map(({ codepoint: id }, index) => {
    const characters = texts.get(index) ?? noText;
    const codePoints = Array.from(characters, (character) => character.codePointAt(0) ?? 0);
    return { id: keyOf(id, characters), codePoints, advanceWidth: font.getGlyph(id).advanceWidth };
  });
  return {
    glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  };
}

/** The text of each glyph: the widest glyph of a cluster represents all of it, including marks that follow. */
function textsOf(
  text: string,
  infos: readonly harfbuzz.GlyphInfo[],
  positions: readonly { readonly xAdvance: number }[],
): Map<number, string> {
  const widest = new Map<number, number>();
  const width = (index: number) => positions[index]?.xAdvance ?? 0;
  for (const [index, { cluster }] of infos.entries()) {
    const known = widest.get(cluster);
    if (known === undefined || width(index) > width(known)) widest.set(cluster, index);
  }
  // readers that extract text take a mark that is moved to its letter for text of another line
  const starts = [...widest]
    .toSorted(([a], [b]) => a - b)
    .filter(([, index], place) => place === 0 || width(index) > 0);
  return new Map(starts.map(([start, index], place) => [index, text.slice(start, starts[place + 1]?.[0])]));
}
