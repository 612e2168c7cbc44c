import type { Language } from '#contract/fields.ts';
import { clustersOf, type Cluster } from './receipt-layout/clusters.ts';
import { baseFont, type Face, type Weight } from './receipt-layout/fonts.ts';
import { directionOf, runsOf, wrapLines, type Run } from './receipt-layout/lines.ts';

/** label and value */
export type ReceiptRow = readonly [label: string, value: string];

/** The content of a receipt, for any renderer. */
export interface ReceiptContent {
  readonly brand: string;
  readonly title: string;
  /** the seller, line by line */
  readonly seller: readonly string[];
  readonly rows: readonly ReceiptRow[];
  /** the last one is the total */
  readonly amounts: readonly ReceiptRow[];
}

/** A4 and its margin, in points. */
const page = { width: 595, margin: 56 } as const;
const ink = '#16161a';
const soft = '#5c5c66';
const line = '#c8c8d0';
/** The height of the base font above its baseline, relative to its size. */
const baseline = 1.069;

type Document = InstanceType<typeof import('pdfkit')>;

interface Look {
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Writes text between two edges, on as many lines as needed; returns the y of the next line. */
class Pen {
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

  write(text: string, at: { x: number; y: number; width: number }, look: Look): number {
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

export interface ReceiptToDraw {
  readonly content: ReceiptContent;
  readonly language: Language;
  /** epoch milliseconds */
  readonly paidAt: number;
}

/**
 * Draws a receipt as a one-page PDF with embedded fonts, so that it looks the same on every device. It takes up to half
 * a second of CPU time, so the server runs it in a thread (receipt-thread.ts).
 */
export async function receiptPdf({ content, language, paidAt }: ReceiptToDraw): Promise<Buffer> {
  const [{ default: PdfDocument }, clusters] = await Promise.all([import('pdfkit'), clustersOfPaper(content)]);
  const doc = new PdfDocument({
    size: 'A4',
    margin: page.margin,
    lang: language,
    displayTitle: true,
    info: { Title: content.title, Author: content.seller[0] ?? content.brand, CreationDate: new Date(paidAt) },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => void chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  draw(doc, new Pen(doc, clusters), content);
  doc.end();
  return done;
}

async function clustersOfPaper({ brand, title, seller, rows, amounts }: ReceiptContent) {
  const bold = [brand, title, ...amounts.slice(-1).flat()];
  const regular = [...seller, ...rows.flat(), ...amounts.slice(0, -1).flat()];
  return clustersOf(await baseFont(), [
    ...bold.map((text) => ({ text, weight: '700' }) as const),
    ...regular.map((text) => ({ text, weight: '400' }) as const),
  ]);
}

function draw(doc: Document, pen: Pen, { brand, title, seller, rows, amounts }: ReceiptContent): void {
  const full = { x: page.margin, width: page.width - 2 * page.margin };
  let y = pen.write(brand, { ...full, y: page.margin }, { size: 12, weight: '700', color: soft });
  y = pen.write(title, { ...full, y }, { size: 26, weight: '700' }) + 6;
  for (const words of seller) y = pen.write(words, { ...full, y }, { size: 10, color: soft });
  const rule = (at: number) =>
    doc
      .moveTo(full.x, at)
      .lineTo(full.x + full.width, at)
      .lineWidth(0.5)
      .strokeColor(line)
      .stroke();
  const row = ([label, value]: ReceiptRow, look: Look) => {
    const left = { x: full.x, y, width: full.width * 0.4 };
    const right = { x: full.x + full.width * 0.42, y, width: full.width * 0.58 };
    const ends = [pen.write(label, left, look), pen.write(value, right, { ...look, color: ink, align: 'right' })];
    y = Math.max(...ends) + 8;
  };
  y += 14;
  rule(y);
  y += 14;
  for (const one of rows) row(one, { size: 11, color: soft });
  rule((y += 6));
  y += 14;
  for (const [index, one] of amounts.entries()) {
    const total = index === amounts.length - 1;
    row(one, total ? { size: 14, weight: '700' } : { size: 11, color: soft });
  }
}
