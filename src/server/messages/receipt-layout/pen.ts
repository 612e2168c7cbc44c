import type { Cluster } from './clusters.ts';
import type { Face, Weight } from './fonts.ts';
import { directionOf, runsOf, wrapLines, type Run } from './lines.ts';

/** The colour of text that has no other. */
export const ink = '#16161a';
/** The height of the base font above its baseline, relative to its size. */
const baseline = 1.069;

export type Document = InstanceType<typeof import('pdfkit')>;

/** An element of the tag tree, which a screen reader reads instead of the drawing. */
export type Tag = PDFKit.PDFStructureElement;

export interface Look {
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** The role of a text: paragraph, title, label of a row, value of a row. */
type TextTag = 'P' | 'H1' | 'TH' | 'TD';

interface Column {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Writes text between two edges, on as many lines as needed; returns the y of the next line. */
export class Pen {
  readonly #doc: Document;
  readonly #clusters: ReadonlyMap<string, readonly Cluster[]>;
  constructor(doc: Document, clusters: ReadonlyMap<string, readonly Cluster[]>) {
    this.#doc = doc;
    this.#clusters = clusters;
  }

  #select({ id, font }: Face, { size, weight = '400' }: Look): Document {
    // as: pdfkit also takes an opened font, which its types do not declare
    const source = font(weight) as unknown as Buffer;
    return this.#doc.font(source, `${id} ${weight}`).fontSize(size);
  }

  #widthOf(runs: readonly Run[], look: Look): number {
    return runs.reduce((sum, { face, text }) => sum + this.#select(face, look).widthOfString(text), 0);
  }

  /** The width of a text on one line, in points. */
  widthOf(text: string, look: Look): number {
    const clusters = this.#clusters.get(text) ?? [];
    return this.#widthOf(runsOf(clusters, directionOf(clusters)), look);
  }

  /** Draws text as the content of a new element of `parent`. */
  write(parent: Tag, tag: TextTag, text: string, at: Column, look: Look): number {
    // pdfkit also writes a scope, which its types do not declare
    const options: PDFKit.Mixins.StructureElementOptions & { scope?: string } = tag === 'TH' ? { scope: 'Row' } : {};
    const element = this.#doc.struct(tag, options);
    parent.add(element);
    let y = at.y;
    element.add(() => {
      // shaping and line breaks change the characters, so readers get the text itself
      this.#doc.markContent('Span', { actual: text.toWellFormed() });
      y = this.#draw(text, at, look);
      this.#doc.endMarkedContent();
    });
    return y;
  }

  /** Draws text that a screen reader skips. */
  repeat(text: string, at: Column, look: Look): void {
    this.#doc.markContent('Artifact', { type: 'Pagination' });
    this.#draw(text, at, look);
    this.#doc.endMarkedContent();
  }

  #draw(text: string, at: Column, look: Look): number {
    const { size, color = ink, align = 'left' } = look;
    const clusters = this.#clusters.get(text) ?? [];
    const direction = directionOf(clusters);
    const lines = wrapLines(clusters, at.width, (part) => this.#widthOf(runsOf(part, direction), look));
    for (const [index, line] of lines.entries()) {
      const runs = runsOf(line, direction);
      let x = align === 'left' ? at.x : at.x + at.width - this.#widthOf(runs, look);
      // fonts differ in height, so all use the baseline of the base font
      const y = at.y + index * size * 1.4 + size * baseline;
      for (const run of runs) {
        const doc = this.#select(run.face, look).fillColor(color);
        doc.text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic' });
        x += doc.widthOfString(run.text);
      }
    }
    return at.y + lines.length * size * 1.4;
  }
}
