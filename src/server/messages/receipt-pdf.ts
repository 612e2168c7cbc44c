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
  /** the tax in the total, and credit notes; may be empty */
  readonly taxes: readonly ReceiptRow[];
}

/** A4 and its margin, in points. */
const page = { width: 595, height: 842, margin: 56 } as const;
const ink = '#16161a';
const soft = '#5c5c66';
const line = '#c8c8d0';
/** The height of the base font above its baseline, relative to its size. */
const baseline = 1.069;

type Document = InstanceType<typeof import('pdfkit')>;

/** An element of the tag tree, which a screen reader reads instead of the drawing. */
type Tag = PDFKit.PDFStructureElement;

interface Look {
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

export interface ReceiptToDraw {
  readonly content: ReceiptContent;
  readonly language: Language;
  /** epoch milliseconds */
  readonly paidAt: number;
}

/**
 * Draws a receipt as a tagged PDF (PDF/UA-1) with embedded fonts, so that it looks the same on every device: one page,
 * more only for many refunds. It takes up to half a second of CPU time, so the server runs it in a thread
 * (receipt-thread.ts).
 */
export async function receiptPdf({ content, language, paidAt }: ReceiptToDraw): Promise<Buffer> {
  const [{ default: PdfDocument }, clusters] = await Promise.all([import('pdfkit'), clustersOfPaper(content)]);
  const doc = new PdfDocument({
    size: 'A4',
    margin: page.margin,
    pdfVersion: '1.7',
    // as: pdfkit also writes PDF/UA, which its types do not declare
    subset: 'PDF/UA' as 'PDF/A-1',
    tagged: true,
    lang: language,
    displayTitle: true,
    info: { Title: content.title, Author: content.seller[0] ?? content.brand, CreationDate: new Date(paidAt) },
  });
  escapeMetadata(doc);
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

/** pdfkit writes title and author twice: as they are, then at the end into XML without escaping them. */
function escapeMetadata(doc: Document): void {
  const endMetadata = doc.endMetadata.bind(doc);
  doc.endMetadata = () => {
    for (const key of ['Title', 'Author'] as const) {
      const text = doc.info[key] ?? '';
      doc.info[key] = text
        .replaceAll(/\p{Cc}/gu, ' ')
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;');
    }
    endMetadata();
  };
}

async function clustersOfPaper({ brand, title, seller, rows, amounts, taxes }: ReceiptContent) {
  const bold = [brand, title, ...amounts.slice(-1).flat()];
  const regular = [...seller, ...rows.flat(), ...amounts.slice(0, -1).flat(), ...taxes.flat()];
  return clustersOf(await baseFont(), [
    ...bold.map((text) => ({ text, weight: '700' }) as const),
    ...regular.map((text) => ({ text, weight: '400' }) as const),
  ]);
}

function draw(doc: Document, pen: Pen, { brand, title, seller, rows, amounts, taxes }: ReceiptContent): void {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const full = { x: page.margin, width: page.width - 2 * page.margin };
  let y = pen.write(root, 'P', brand, { ...full, y: page.margin }, { size: 12, weight: '700', color: soft });
  y = pen.write(root, 'H1', title, { ...full, y }, { size: 26, weight: '700' }) + 6;
  for (const words of seller) y = pen.write(root, 'P', words, { ...full, y }, { size: 10, color: soft });
  const [number = ['', '']] = rows;
  y = drawTable(doc, pen, root, { number, rows, y: y + 14 });
  y = drawTable(doc, pen, root, { number, rows: amounts, y: y + 6, hasTotal: true });
  if (taxes.length > 0) drawTable(doc, pen, root, { number, rows: taxes, y: y + 6, together: 2 });
  root.end();
}

interface Table {
  /** repeated on further pages: number of the invoice, or of the order */
  readonly number: ReceiptRow;
  /** how many rows a page never separates, because they belong together; 1 without it */
  readonly together?: number;
  readonly rows: readonly ReceiptRow[];
  readonly y: number;
  /** the last row is the total */
  readonly hasTotal?: boolean;
}

const [left, right] = [page.margin, page.width - page.margin];
const labels = { x: left, width: (right - left) * 0.4 };
const values = { x: left + (right - left) * 0.42, width: (right - left) * 0.58 };

/** Returns the y of what follows. */
function beginPage(doc: Document, pen: Pen, [label, value]: ReceiptRow): number {
  doc.addPage();
  const look: Look = { size: 11, color: soft };
  pen.repeat(label, { ...labels, y: page.margin }, look);
  pen.repeat(value, { ...values, y: page.margin }, { ...look, align: 'right' });
  return page.margin + tallestRow;
}

/** Points; a row of three lines. */
const tallestRow = 48;

/** Draws rows below a line, which is decoration; returns the y of what follows. */
function drawTable(doc: Document, pen: Pen, root: Tag, options: Table): number {
  const { number, rows, y: top, hasTotal = false, together = 1 } = options;
  doc.markContent('Artifact', { type: 'Layout' });
  doc.moveTo(left, top).lineTo(right, top).lineWidth(0.5).strokeColor(line).stroke();
  doc.endMarkedContent();
  const table = doc.struct('Table');
  root.add(table);
  let y = top + 14;
  for (const [index, [label, value]] of rows.entries()) {
    // many refunds of one order do not fit on a page
    const needed = index % together === 0 ? together * tallestRow : tallestRow;
    if (y > page.height - page.margin - needed) y = beginPage(doc, pen, number);
    const isTotal = hasTotal && index === rows.length - 1;
    const look: Look = isTotal ? { size: 14, weight: '700' } : { size: 11, color: soft };
    const row = doc.struct('TR');
    table.add(row);
    const ends = [
      pen.write(row, 'TH', label, { ...labels, y }, look),
      pen.write(row, 'TD', value, { ...values, y }, { ...look, color: ink, align: 'right' }),
    ];
    y = Math.max(...ends) + 8;
  }
  return y;
}
