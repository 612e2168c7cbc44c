import type { Language } from '#contract/fields.ts';
import { clustersOf } from './receipt-layout/clusters.ts';
import { baseFont } from './receipt-layout/fonts.ts';
import { ink, Pen, type Document, type Look, type Tag } from './receipt-layout/pen.ts';

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
const soft = '#5c5c66';
const line = '#c8c8d0';

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

/** A label gets the width that it needs: at most what the value leaves, or 55 % where both are long. */
function columnsOf(pen: Pen, [label, value]: ReceiptRow, look: Look) {
  const gap = (right - left) * 0.02;
  const free = right - left - gap - Math.ceil(pen.widthOf(value, look));
  const width = Math.min(Math.ceil(pen.widthOf(label, look)), Math.max(free, (right - left) * 0.55));
  const x = left + width + gap;
  return { labels: { x: left, width }, values: { x, width: right - x } };
}

/** Returns the y of what follows. */
function beginPage(doc: Document, pen: Pen, number: ReceiptRow): number {
  doc.addPage();
  const [label, value] = number;
  const look: Look = { size: 11, color: soft };
  const { labels, values } = columnsOf(pen, number, look);
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
    const { labels, values } = columnsOf(pen, [label, value], look);
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
