import { expect, test } from 'vitest';
import { fitWithin } from './shrink-picture.ts';

test('a photo of a phone is sent at a size that can still be read', () => {
  expect(fitWithin({ width: 4000, height: 3000 }, 1600)).toEqual({ width: 1600, height: 1200 });
  expect(fitWithin({ width: 3000, height: 4000 }, 1600)).toEqual({ width: 1200, height: 1600 });
});

test('a screenshot that is small enough stays as it is', () => {
  expect(fitWithin({ width: 1600, height: 900 }, 1600)).toEqual({ width: 1600, height: 900 });
  expect(fitWithin({ width: 1, height: 1 }, 1600)).toEqual({ width: 1, height: 1 });
});

test('a strip of a picture keeps a pixel of width', () => {
  expect(fitWithin({ width: 1, height: 100_000 }, 1600)).toEqual({ width: 1, height: 1600 });
});
