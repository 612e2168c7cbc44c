import fc from 'fast-check';
import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { drawImage, scan } from '#tests/fixtures/scanner.ts';
import { qrImage } from './scan-panel.tsx';

const pix =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406189.055802BR6304ABCD';

test('a scanner reads a QR code, including its white border', () => {
  const { size } = encode(pix, { ecc: 'M', border: 4 });
  const photo = drawImage(qrImage(pix), size * 4);
  expect(scan('qr', photo)).toBe(pix);
  const lightness = (x: number, y: number) => photo.pixels[(y * photo.width + x) * 4];
  // four modules of four pixels each
  const last = photo.width - 1;
  for (let at = 0; at <= last; at += 1)
    for (const depth of [0, 15]) {
      const sides = [
        lightness(at, depth),
        lightness(depth, at),
        lightness(at, last - depth),
        lightness(last - depth, at),
      ];
      expect(sides).toEqual([255, 255, 255, 255]);
    }
});

test('any URL or payment text is read unchanged', () => {
  const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(text, (content) => {
      expect(scan('qr', drawImage(qrImage(content), 300))).toBe(content);
    }),
    { numRuns: 5, examples: [['https://shop.example/device?code=ABCD-EFGH'], ['bitcoin:bc1q?amount=0.00012345']] },
  );
});
