import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawImage, scan } from '#tests/fixtures/scanner.ts';
import { barImage, interleavedBars, type Bars } from './ticket-step.tsx';

/** A slip of the test vectors: due 2026-11-26, R$ 49.90. */
const slip = '00191164200000049900000001234567800000000017';

/** Decodes like a scanner: the widths of bars and spaces, and the digits in those. */
function scanned({ bars, size }: Bars): string {
  expect(bars[0]?.x).toBe(10);
  const last = bars.at(-1)!;
  expect(size - last.x - last.width).toBe(10);
  const widths = bars.flatMap(({ x, width }, index) => {
    const next = bars[index + 1];
    return next ? [width, next.x - x - width] : [width];
  });
  expect(widths.slice(0, 4)).toEqual([1, 1, 1, 1]);
  expect(widths.slice(-3)).toEqual([3, 1, 1]);
  let digits = '';
  for (let at = 4; at < widths.length - 3; at += 10) {
    const pair = widths.slice(at, at + 10);
    digits += digitOf(pair.filter((_, index) => index % 2 === 0)) + digitOf(pair.filter((_, index) => index % 2 === 1));
  }
  return digits;
}

/** The first four elements weigh 1, 2, 4 and 7, the fifth is parity; a sum of 11 is the digit 0. */
function digitOf(elements: readonly number[]): string {
  expect(elements.filter((width) => width === 3)).toHaveLength(2);
  const sum = [1, 2, 4, 7].reduce((total, weight, index) => total + (elements[index] === 3 ? weight : 0), 0);
  return String(sum === 11 ? 0 : sum);
}

describe('the bar code of a slip', () => {
  it('is read by a scanner as its 44 digits', () => {
    const code = interleavedBars(slip);
    expect(scanned(code)).toBe(slip);
    // four for the start, 18 for each pair, five for the stop, and a quiet zone of ten on both sides
    expect(code.size).toBe(4 + 22 * 18 + 5 + 20);
  });

  it('is read by a scanner from its image, including the quiet zone', () => {
    const slips = fc.stringMatching(/^\d{44}$/);
    fc.assert(
      fc.property(slips, (digits) => {
        // two pixels per module, as high as a scanner needs
        const image = barImage(digits).replace('%3E', ' width%3D%22850%22 height%3D%2240%22%3E');
        expect(scan('slip', drawImage(image, 850))).toBe(digits);
      }),
      { numRuns: 5, examples: [[slip]] },
    );
  });

  it('encodes any even number of digits', () => {
    const digits = fc.stringMatching(/^(\d\d){1,30}$/);
    fc.assert(
      fc.property(digits, (text) => {
        expect(scanned(interleavedBars(text))).toBe(text);
      }),
    );
  });

  it.each(['', '1', '123', '12a4', '12 34'])('is not created for %j', (text) => {
    expect(() => interleavedBars(text)).toThrow(RangeError);
  });
});
