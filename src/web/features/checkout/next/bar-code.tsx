import { useMemo } from 'react';
import { scannableImage } from '#web/ui/scannable-image.ts';
import styles from './ticket.module.css';

/** The digits as a barcode for a bank's scanner; one path, as sharp as the screen or printer allows. */
export function BarCode({ digits, label }: { digits: string; label: string }) {
  const image = useMemo(() => barImage(digits), [digits]);
  return <img className={styles.bars} src={image} alt={label} />;
}

/** A data URL of the barcode, which scales to any box. */
export function barImage(digits: string): string {
  const { bars, size } = interleavedBars(digits);
  const path = bars.map((bar) => `M${bar.x} 0h${bar.width}v1h-${bar.width}z`).join('');
  return scannableImage({ width: size, height: 1, path, stretches: true });
}

/** Wide (w) and narrow (n) elements of each digit; two of five are wide (ISO/IEC 16390). */
const patterns = ['nnwwn', 'wnnnw', 'nwnnw', 'wwnnn', 'nnwnw', 'wnwnn', 'nwwnn', 'nnnww', 'wnnwn', 'nwnwn'] as const;
/** Width of a wide element in modules; banks print slips 1 to 3 (FEBRABAN). */
const wide = 3;
/** White modules on either side; scanners need ten. */
const quietZone = 10;

export interface Bars {
  /** in modules from the left edge, including the quiet zone */
  readonly bars: readonly { readonly x: number; readonly width: number }[];
  /** total width in modules */
  readonly size: number;
}

/**
 * Interleaved 2 of 5: of each pair of digits, one is encoded in the bars and one in the spaces between them. Throws
 * RangeError unless the text has an even number of digits.
 */
export function interleavedBars(digits: string): Bars {
  if (!/^(\d\d)+$/.test(digits)) throw new RangeError('digits must be an even number of digits');
  const pairs = digits.match(/\d\d/g) ?? [];
  const elements = ['nnnn', ...pairs.map(interleave), 'wnn'].join('');
  const bars: { x: number; width: number }[] = [];
  let x = quietZone;
  for (const [index, element] of elements.split('').entries()) {
    const width = element === 'w' ? wide : 1;
    if (index % 2 === 0) bars.push({ x, width });
    x += width;
  }
  return { bars, size: x + quietZone };
}

function interleave(pair: string): string {
  const [bars = '', spaces = ''] = pair.split('').map((digit) => patterns[Number(digit)] ?? '');
  return bars
    .split('')
    .map((bar, index) => bar + (spaces[index] ?? ''))
    .join('');
}
