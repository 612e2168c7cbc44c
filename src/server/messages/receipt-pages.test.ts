import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { receiptPdf, type ReceiptRow } from './receipt-pdf.ts';

const paidAt = Date.UTC(2026, 10, 26);
const ordinary = Array.from({ length: 9 }, (): ReceiptRow => ['Plan', 'Monthly']);
const rows: readonly ReceiptRow[] = [['Invoice number', 'ACME-2026-000002'], ...ordinary];

interface DrawnText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** The texts of a receipt with these rows, with their edges in points. */
async function textsOf(rows: readonly ReceiptRow[]): Promise<DrawnText[]> {
  const content = { brand: 'Acme', title: 'Invoice', seller: [], rows, amounts: [], taxes: [] };
  const pdf = await getDocumentProxy(new Uint8Array(await receiptPdf({ content, language: 'en', paidAt })));
  const { items } = await (await pdf.getPage(1)).getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    // as: pdf.js types the matrix of a text, six numbers, as any[]
    const left = (item.transform as readonly number[])[4] ?? 0;
    return [{ text: item.str, left, right: left + item.width }];
  });
}

describe('The two columns of a receipt', () => {
  const page = { left: 56, right: 595 - 56 };

  it('give label and value of a row one line as long as both fit', async () => {
    const rows = [
      ['Credit note LUM-2026-000002 of November 26, 2026, for the order BZDZ4-W9W3A', '-1.00'],
      ['Customer', 'Comercializadora y Distribuidora del Norte de México, S.A. de C.V.'],
    ] as const;
    const texts = await textsOf(rows);
    expect(texts.slice(2).map(({ text }) => text)).toEqual(rows.flat());
  });

  it('break a label only beyond 55 % of the width, and never overlap', async () => {
    const texts = (
      await textsOf([['Credit note '.repeat(8).trim(), 'Acme International Trading '.repeat(8).trim()]])
    ).slice(2);
    const labels = texts.filter(({ text }) => text.startsWith('Credit'));
    const values = texts.filter(({ text }) => !text.startsWith('Credit'));
    expect(labels.length).toBeGreaterThan(1);
    const end = Math.max(...labels.map(({ right }) => right));
    expect(end).toBeGreaterThan(page.left + (page.right - page.left) * 0.45);
    expect(end).toBeLessThanOrEqual(page.left + (page.right - page.left) * 0.55);
    expect(Math.min(...values.map(({ left }) => left))).toBeGreaterThan(end);
  });
});

/** The texts of each page, in order. */
async function pagesOf(creditNotes: number): Promise<string[][]> {
  const taxes = Array.from({ length: creditNotes }, (_, index): readonly ReceiptRow[] => [
    [`Credit note ${index}`, '-1.00'],
    ['Includes 19% VAT', '-0.16'],
  ]).flat();
  const amounts: readonly ReceiptRow[] = [['Total', '4.99']];
  const content = { brand: 'Acme', title: 'Receipt', seller: ['Acme Ltd.'], rows, amounts, taxes };
  const pdf = await getDocumentProxy(new Uint8Array(await receiptPdf({ content, language: 'en', paidAt })));
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).filter((text) => text.trim() !== ''));
  }
  return pages;
}

describe('The further pages of a receipt', () => {
  it('begin with its number, and never separate a credit note from its tax', async () => {
    for (const creditNotes of [8, 9, 10, 11, 40]) {
      const [first, ...further] = await pagesOf(creditNotes);
      expect(first?.at(-2), `${creditNotes} credit notes`).toBe('Includes 19% VAT');
      expect(further.length).toBeGreaterThan(0);
      for (const texts of further)
        expect(texts.slice(0, 3)).toEqual([
          'Invoice number',
          'ACME-2026-000002',
          expect.stringMatching(/^Credit note \d+$/),
        ]);
    }
  });
});
