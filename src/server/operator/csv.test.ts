import { describe, expect, it } from 'vitest';
import { createCommandOutput } from './command.ts';

function csvOf(text: string): string {
  const lines: string[] = [];
  const out = createCommandOutput({ print: (line) => void lines.push(line), explain: () => {} }, 'csv');
  out.row({ text, price: { amount: -4900, currency: 'BRL' }, count: 7 });
  expect(lines[0]).toBe('\uFEFFtext,price,price_currency,count');
  return (lines[1] ?? '').replace(/,-49\.00,BRL,7$/, '');
}

describe('a list for a spreadsheet', () => {
  it('contains no formula', () => {
    for (const formula of ['=1+1', '+5511987654321', '@x', '-1+1', '＝1+1', '＋1', '＠x', '－1+1'])
      expect(csvOf(formula)).toBe(`'${formula}`);
    expect(csvOf('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`);
    expect(csvOf('\t=1+1')).toBe(' =1+1');
  });

  it('contains no text that becomes another number or a day', () => {
    const texts = ['01234567890', '00012E45', '1E3', '2.5e-7', '5511987654321', '0/100', '1-2', '3-4-5', '12/2026'];
    const months = ['JUNE-10', 'MAI-10', 'Dez10', 'sep 5', 'июнь-10'];
    for (const text of [...texts, ...months]) expect(csvOf(text)).toBe(`'${text}`);
  });

  it('leaves numbers, days, codes and names as they are', () => {
    const texts = [
      '0',
      '101',
      '-5',
      '2.9',
      '2026-11-30',
      '10%',
      'ACME-2026-000001',
      'SPRING-10',
      'KX4T9HQ2M7CE',
      'May',
    ];
    for (const text of [...texts, 'Zoë Мария', "O'Neil", 'DE 123456789']) expect(csvOf(text)).toBe(text);
    expect(csvOf('Silva, "Jô"\nSouza')).toBe('"Silva, ""Jô"" Souza"');
  });

  it('has times that a spreadsheet reads, in UTC', () => {
    expect(csvOf('2026-11-30T09:41:10.531Z')).toBe('2026-11-30 09:41:10');
  });
});
