import createBidi from 'bidi-js';
import type { Cluster } from './clusters.ts';
import type { Face } from './fonts.ts';

/** Characters that are drawn with one call, from left to right. */
export interface Run {
  readonly face: Face;
  readonly text: string;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}]/u;
// as: the package is CommonJS, so Node imports the function itself and not a module with a default export
const bidi = (createBidi as unknown as typeof createBidi.default)();
const textOf = (clusters: readonly Cluster[]) => clusters.map(({ text }) => text).join('');

/** The direction of a paragraph is that of its first letter. */
export function directionOf(clusters: readonly Cluster[]): 'ltr' | 'rtl' {
  const text = textOf(clusters);
  if (!rightToLeft.test(text)) return 'ltr';
  return bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
}

interface Placed extends Cluster {
  readonly mirrored: boolean;
}

/** The clusters of a line in visual order (UAX 9). */
function placed(line: readonly Cluster[], direction: 'ltr' | 'rtl'): Placed[] {
  const text = textOf(line);
  if (!rightToLeft.test(text)) return line.map((cluster) => ({ ...cluster, mirrored: false }));
  const levels = bidi.getEmbeddingLevels(text, direction);
  const starts = new Map<number, Cluster>();
  let start = 0;
  for (const cluster of line) {
    starts.set(start, cluster);
    start += cluster.text.length;
  }
  return bidi.getReorderedIndices(text, levels).flatMap((index) => {
    const cluster = starts.get(index);
    return cluster ? [{ ...cluster, mirrored: (levels.levels[index] ?? 0) % 2 === 1 }] : [];
  });
}

/** The runs of a line from left to right. */
export function runsOf(line: readonly Cluster[], direction: 'ltr' | 'rtl'): Run[] {
  const groups: Placed[][] = [];
  for (const cluster of placed(line, direction)) {
    const last = groups.at(-1);
    const previous = last?.at(-1);
    if (last && previous?.face === cluster.face && previous.mirrored === cluster.mirrored) last.push(cluster);
    else groups.push([cluster]);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    return first ? [{ face: first.face, text: shapedText(group) }] : [];
  });
}

/** fontkit reverses text in right-to-left scripts, wherever it is in the line, and nothing else. */
function shapedText(group: readonly Placed[]): string {
  if (rightToLeft.test(textOf(group))) return textOf(group.toReversed());
  return group.map(({ text, mirrored }) => (mirrored ? (bidi.getMirroredCharacter(text) ?? text) : text)).join('');
}

type Measure = (clusters: readonly Cluster[]) => number;

/** Breaks clusters into lines of at most this width. A word longer than a line is broken within. */
export function wrapLines(clusters: readonly Cluster[], width: number, measure: Measure): Cluster[][] {
  const lines: Cluster[][] = [];
  let current: Cluster[] = [];
  let space: Cluster | undefined;
  for (const word of wordsOf(clusters)) {
    for (const [index, part] of pieces(word.clusters, width, measure).entries()) {
      const longer = [...current, ...(space && index === 0 ? [space] : []), ...part];
      if (current.length > 0 && measure(longer) > width) {
        lines.push(current);
        current = part;
      } else current = longer;
    }
    space = word.space;
  }
  return [...lines, current];
}

interface Word {
  readonly clusters: Cluster[];
  /** the space after the word */
  space?: Cluster;
}

function wordsOf(clusters: readonly Cluster[]): Word[] {
  const words: Word[] = [{ clusters: [] }];
  for (const cluster of clusters) {
    const last = words.at(-1);
    if (cluster.text === ' ' && last) {
      last.space = cluster;
      words.push({ clusters: [] });
    } else last?.clusters.push(cluster);
  }
  return words;
}

const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const dictionary = new Intl.Segmenter('th', { granularity: 'word' });

/** Units that a line break does not divide: a cluster, or a word of a script that is written without spaces. */
function unitsOf(clusters: readonly Cluster[]): Cluster[][] {
  const text = textOf(clusters);
  if (!withoutSpaces.test(text)) return clusters.map((cluster) => [cluster]);
  const starts = new Set(Array.from(dictionary.segment(text), ({ index }) => index));
  const units: Cluster[][] = [];
  let start = 0;
  for (const cluster of clusters) {
    const last = units.at(-1);
    if (last && !starts.has(start)) last.push(cluster);
    else units.push([cluster]);
    start += cluster.text.length;
  }
  return units;
}

function pieces(word: readonly Cluster[], width: number, measure: Measure): Cluster[][] {
  const parts: Cluster[][] = [[]];
  for (const unit of unitsOf(word).flatMap((one) => (measure(one) > width ? one.map((cluster) => [cluster]) : [one]))) {
    const last = parts.at(-1) ?? [];
    if (last.length > 0 && measure([...last, ...unit]) > width) parts.push(unit);
    else parts[parts.length - 1] = [...last, ...unit];
  }
  return parts;
}
