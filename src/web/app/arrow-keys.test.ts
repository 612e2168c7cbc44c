import { expect, test } from 'vitest';
import { costOf } from './arrow-keys.ts';

// A rectangle of the tests' own: Node has no DOMRect.
const rect = (left: number, top: number, width = 100, height = 40) =>
  ({ left, top, right: left + width, bottom: top + height }) as DOMRectReadOnly;

test('the control right below is nearer than one further down or aside', () => {
  const from = rect(0, 0);
  const below = costOf(from, rect(0, 60), 'down');
  expect(below).toBeLessThan(costOf(from, rect(0, 120), 'down'));
  expect(below).toBeLessThan(costOf(from, rect(200, 60), 'down'));
});

test('sideways there is only what stands in the same row', () => {
  expect(costOf(rect(0, 100), rect(900, 0), 'right')).toBe(Infinity);
  expect(costOf(rect(0, 100), rect(900, 120), 'right')).toBe(800);
});

test('what lies behind is not there', () => {
  expect(costOf(rect(0, 100), rect(0, 0), 'down')).toBe(Infinity);
  expect(costOf(rect(0, 100), rect(0, 0), 'up')).toBe(60);
  expect(costOf(rect(0, 0), rect(150, 0), 'left')).toBe(Infinity);
  expect(costOf(rect(0, 0), rect(150, 0), 'right')).toBe(50);
});
