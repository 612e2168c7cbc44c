import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import type { Language } from '../../contract/fields.ts';

/** label and value */
export type PaperRow = readonly [label: string, value: string];

/** What stands on the paper of a receipt, wherever it is drawn. */
export interface ReceiptPaper {
  readonly brand: string;
  readonly title: string;
  /** who sold, line by line */
  readonly seller: readonly string[];
  readonly rows: readonly PaperRow[];
  /** the last one is the total */
  readonly amounts: readonly PaperRow[];
}

/** A4 in points, and the white around. */
const page = { width: 595, margin: 56 } as const;
const ink = '#16161a';
const soft = '#5c5c66';
const line = '#c8c8d0';

/** The parts of the font that are needed for the shop's languages, and for names in any Latin letters. */
const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const;
type Subset = (typeof subsets)[number];
type Weight = '400' | '700';

interface Fonts {
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
  readonly ranges: readonly { readonly subset: Subset; readonly from: number; readonly to: number }[];
}

const ofPackage = (file: string) => fileURLToPath(import.meta.resolve(`@fontsource/noto-sans/${file}`));

/** Read at the first receipt, because most processes draw none. */
let fonts: Promise<Fonts> | undefined;

async function readFonts(): Promise<Fonts> {
  const told = v.parse(v.record(v.string(), v.string()), JSON.parse(await readFile(ofPackage('unicode.json'), 'utf8')));
  const ranges = subsets.flatMap((subset) =>
    (told[subset] ?? '').split(',').map((range) => {
      const [from = '', to = from] = range.replace('U+', '').split('-');
      return { subset, from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) };
    }),
  );
  const names = subsets.flatMap((subset) => (['400', '700'] as const).map((weight) => ({ subset, weight })));
  const files = names.map(async ({ subset, weight }) => ({
    name: `${subset} ${weight}`,
    bytes: await readFile(ofPackage(`files/noto-sans-${subset}-${weight}-normal.woff`)),
  }));
  return { files: await Promise.all(files), ranges };
}

/** Letters that follow each other in one part of the font. */
interface Run {
  readonly subset: Subset;
  text: string;
}

function runsOf(text: string, { ranges }: Fonts): Run[] {
  const runs: Run[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    const subset = ranges.find(({ from, to }) => code >= from && code <= to)?.subset ?? 'latin';
    const last = runs.at(-1);
    if (last?.subset === subset) last.text += letter;
    else runs.push({ subset, text: letter });
  }
  return runs;
}

type Document = InstanceType<typeof import('pdfkit')>;

interface Look {
  readonly size: number;
  readonly weight?: Weight;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Writes words between two edges, line by line as many as it takes; answers where the next line begins. */
class Pen {
  readonly #doc: Document;
  readonly #fonts: Fonts;
  constructor(doc: Document, known: Fonts) {
    this.#doc = doc;
    this.#fonts = known;
    for (const { name, bytes } of known.files) doc.registerFont(name, bytes);
  }

  #widthOf(text: string, { size, weight = '400' }: Look): number {
    return runsOf(text, this.#fonts).reduce(
      (sum, run) => sum + this.#doc.font(`${run.subset} ${weight}`).fontSize(size).widthOfString(run.text),
      0,
    );
  }

  write(text: string, at: { x: number; y: number; width: number }, look: Look): number {
    const { size, weight = '400', color = ink, align = 'left' } = look;
    const lines = wrapped(text, at.width, (part) => this.#widthOf(part, look));
    for (const [index, words] of lines.entries()) {
      let x = align === 'left' ? at.x : at.x + at.width - this.#widthOf(words, look);
      for (const run of runsOf(words, this.#fonts)) {
        const doc = this.#doc.font(`${run.subset} ${weight}`).fontSize(size).fillColor(color);
        // all parts of the font stand on one line
        doc.text(run.text, x, at.y + index * size * 1.4, { lineBreak: false });
        x += doc.widthOfString(run.text);
      }
    }
    return at.y + lines.length * size * 1.4;
  }
}

/** Lines that fit; a word that is longer than a line is broken where it has to be. */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ').flatMap((one) => pieces(one, width, measure))) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && measure(longer) > width) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

function pieces(word: string, width: number, measure: (text: string) => number): string[] {
  const parts = [''];
  for (const letter of word) {
    const last = parts.at(-1) ?? '';
    if (last !== '' && measure(last + letter) > width) parts.push(letter);
    else parts[parts.length - 1] = last + letter;
  }
  return parts;
}

/** A receipt as one page of PDF, with its letters in it, so that it looks the same on every phone and printer. */
export async function receiptPdf(paper: ReceiptPaper, language: Language, paidAt: number): Promise<Buffer> {
  fonts ??= readFonts();
  const [{ default: PdfDocument }, known] = await Promise.all([import('pdfkit'), fonts]);
  const doc = new PdfDocument({
    size: 'A4',
    margin: page.margin,
    lang: language,
    displayTitle: true,
    info: { Title: paper.title, Author: paper.seller[0] ?? paper.brand, CreationDate: new Date(paidAt) },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => void chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  draw(doc, new Pen(doc, known), paper);
  doc.end();
  return done;
}

function draw(doc: Document, pen: Pen, { brand, title, seller, rows, amounts }: ReceiptPaper): void {
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
  const row = ([label, value]: PaperRow, look: Look) => {
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
