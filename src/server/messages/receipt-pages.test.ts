import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { receiptPdf, type ReceiptRow } from './receipt-pdf.ts';

const paidAt = Date.UTC(2026, 10, 26);
const ordinary = Array.from({ length: 9 }, (): ReceiptRow => ['Plan', 'Monthly']);
const rows: readonly ReceiptRow[] = [['Invoice number', 'ACME-2026-000002'], ...ordinary];

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
