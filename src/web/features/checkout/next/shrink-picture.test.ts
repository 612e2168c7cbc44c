import { expect, test } from 'vitest';
import { fitWithin } from './proof-form.tsx';

test("shrinks a phone's photo to a readable size", () => {
  expect(fitWithin({ width: 4000, height: 3000 }, 1600)).toEqual({ width: 1600, height: 1200 });
  expect(fitWithin({ width: 3000, height: 4000 }, 1600)).toEqual({ width: 1200, height: 1600 });
});

test('leaves a small screenshot unchanged', () => {
  expect(fitWithin({ width: 1600, height: 900 }, 1600)).toEqual({ width: 1600, height: 900 });
  expect(fitWithin({ width: 1, height: 1 }, 1600)).toEqual({ width: 1, height: 1 });
});

test('leaves at least a pixel of a strip', () => {
  expect(fitWithin({ width: 1, height: 100_000 }, 1600)).toEqual({ width: 1, height: 1600 });
});
