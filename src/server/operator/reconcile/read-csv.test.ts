import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCommandOutput } from '../command.ts';
import { csvText } from '../csv.ts';
import { readCsv, type CsvRecord } from './read-csv.ts';

async function* inParts(text: string, size: number): AsyncGenerator<string> {
  for (let index = 0; index < text.length; index += size) yield text.slice(index, index + size);
}

async function recordsOf(text: string, size = text.length || 1): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  for await (const record of readCsv(inParts(text, size))) records.push(record);
  return records;
}

const cellsOf = async (text: string, size?: number) => (await recordsOf(text, size)).map(({ cells }) => cells);

describe('a CSV file', { timeout: 60_000 }, () => {
  it.each([
    [
      'with a byte order mark and CRLF',
      '\uFEFFa,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with semicolons',
      'a;b\n"1,5";2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'with tabs',
      'a\tb,c\td\n1\t2\t3',
      [
        ['a', 'b,c', 'd'],
        ['1', '2', '3'],
      ],
    ],
    [
      'with separators in its quoted first cell',
      '"a;;;b",c\n1,2',
      [
        ['a;;;b', 'c'],
        ['1', '2'],
      ],
    ],
    [
      'with line breaks, quotes and separators in a cell',
      'a,b\n"1\r\n""x"",",2',
      [
        ['a', 'b'],
        ['1\r\n"x",', '2'],
      ],
    ],
    [
      'with empty lines and cells',
      'a,b\n\n,\r\r1,',
      [
        ['a', 'b'],
        ['', ''],
        ['1', ''],
      ],
    ],
    [
      'with a quote inside a plain cell',
      'a,b\n5" screen,2',
      [
        ['a', 'b'],
        ['5" screen', '2'],
      ],
    ],
    ['with an empty quoted line', 'a\n""\n1', [['a'], [''], ['1']]],
    ['that is empty', '', []],
  ])('%s is read', async (_what, text, cells) => {
    expect(await cellsOf(text)).toEqual(cells);
    expect(await cellsOf(text, 1)).toEqual(cells);
  });

  it('that is broken is refused with the line', async () => {
    await expect(cellsOf('a,b\n1,"2\n3')).rejects.toThrow('a quote is not closed (line 2)');
    await expect(cellsOf('a,b\n\n1,"2"3')).rejects.toThrow('text follows a closing quote (line 3)');
  });

  it('names the line on which each record begins', async () => {
    const records = await recordsOf('a,b\r\n"1\r\n\r\n2",3\r\n4,5', 2);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('that --csv has printed is read as it was printed', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const rows = fc.array(fc.record({ one: text, two: text, three: text }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 9 }), async (all, size) => {
        const lines: string[] = [];
        const { row } = createCommandOutput(
          { print: (line) => void lines.push(line), explain: () => undefined },
          'csv',
        );
        for (const one of all) row(one);
        const expected = [['one', 'two', 'three'], ...all.map(({ one, two, three }) => [one, two, three].map(csvText))];
        expect(await cellsOf(`${lines.join('\n')}\n`, size)).toEqual(expected);
      }),
    );
  });

  it('of any cells, separator and line break is read as it was written', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'ä', '"', '\r', '\n', ',', ';', '\t', ' ', '1'),
      maxLength: 12,
    });
    const record = fc.array(cell, { minLength: 2, maxLength: 4 });
    const write = (records: string[][], separator: string, end: string) =>
      records.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator) + end).join('');
    const separators = fc.constantFrom(',', ';', '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 5 }),
        separators,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 7 }),
        async (records, separator, end, size) => {
          const all = [['first', 'second', 'third'], ...records];
          expect(await cellsOf(write(all, separator, end), size)).toEqual(all);
        },
      ),
    );
  });
});
