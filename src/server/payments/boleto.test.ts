import { describe, expect, it } from 'vitest';
import { boleto, lineOf, parseBoleto, dueDayOf } from './boleto.ts';

/** Slips as printed by banks. */
const printed = [
  {
    line: '00190.00009 01234.567806 00000.000174 1 16420000004990',
    bank: '001',
    amount: 4990,
    due: '2026-11-26',
    today: '2026-11-21',
  },
  {
    line: '34191.75801 03928.662935 80573.180009 4 67700000007388',
    bank: '341',
    amount: 7388,
    due: '2016-04-20',
    today: '2016-04-15',
  },
];
const barcode = '00191164200000049900000001234567800000000017';
const free = '0000001234567800000000017';

const slip = { bank: '999', amount: 4990, free, dueDay: '2026-11-26' };

describe('a Boleto', () => {
  it('has the barcode and the line that a bank prints', () => {
    expect(boleto({ ...slip, bank: '001' })).toEqual({
      bank: '001',
      factor: '1642',
      amount: 4990,
      free,
      barcode,
      line: printed[0]?.line,
    });
  });

  it.each(printed)('is parsed from a typed line: $line', ({ line, bank, amount, due, today }) => {
    const read = parseBoleto(line);
    expect(read).toMatchObject({ bank, amount, line });
    expect(dueDayOf(read?.factor ?? '', today)).toBe(due);
    expect(parseBoleto(read?.barcode ?? '')).toEqual(read);
  });

  it('is parsed with any grouping of the line', () => {
    const line = '34191 75801 03928 662935 80573 180009 4 67700000007388';
    expect(parseBoleto(line)?.line).toBe('34191.75801 03928.662935 80573.180009 4 67700000007388');
    expect(parseBoleto(line.replaceAll(' ', ''))).toEqual(parseBoleto(line));
  });

  it('converts between barcode and line', () => {
    expect(lineOf(barcode)).toBe(printed[0]?.line);
    expect(parseBoleto(lineOf(barcode))?.barcode).toBe(barcode);
  });

  it('is refused if one digit of the barcode or the line is changed', () => {
    // a slip whose check digit is 1 accepts some changes, because 1 stands for three remainders
    const { barcode: bars = '', line = '' } = parseBoleto(printed[1]?.line ?? '') ?? {};
    for (const text of [bars, line.replaceAll(/\D/g, '')]) {
      for (let at = 0; at < text.length; at += 1) {
        const changed = text.slice(0, at) + ((Number(text[at]) + 1) % 10) + text.slice(at + 1);
        expect(parseBoleto(changed), changed).toBeUndefined();
      }
    }
  });

  it('is refused in another currency, with letters, or with a wrong length', () => {
    for (const text of ['', barcode.slice(1), `${barcode}0`, barcode.replace('9', 'O'), lineOf(barcode).slice(1)]) {
      expect(parseBoleto(text), text).toBeUndefined();
    }
  });

  it('has the check digit 1 if the sum gives 0, 10 or 11', () => {
    const slips = Array.from({ length: 60 }, (_, at) => boleto({ ...slip, amount: at + 1 }));
    const seen = slips.map(({ barcode: bars }) => Number(bars[4])).toSorted((a, b) => a - b);
    expect([...new Set(seen)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('refuses values that do not fit its digits', () => {
    for (const amount of [0, -1, 1.5, Number.NaN, 1e10]) expect(() => boleto({ ...slip, amount })).toThrow(RangeError);
    expect(() => boleto({ ...slip, bank: '9' })).toThrow(RangeError);
    expect(() => boleto({ ...slip, free: '1' })).toThrow(RangeError);
    expect(() => boleto({ ...slip, dueDay: '2026-02-30' })).toThrow(RangeError);
  });
});
