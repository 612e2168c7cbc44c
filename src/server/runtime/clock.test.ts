import { expect, it } from 'vitest';
import { monthsBefore } from './clock.ts';

it.each([
  ['2026-11-22T07:30:00.123Z', 12, '2025-11-22T07:30:00.123Z'],
  ['2026-11-22T07:30:00.000Z', 13, '2025-10-22T07:30:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 1, '2026-02-28T12:00:00.000Z'],
  ['2028-03-31T12:00:00.000Z', 1, '2028-02-29T12:00:00.000Z'],
  ['2028-02-29T00:00:00.000Z', 12, '2027-02-28T00:00:00.000Z'],
  ['2026-01-15T23:59:59.999Z', 1, '2025-12-15T23:59:59.999Z'],
])('counts back from %s by %i months to %s', (from, months, to) => {
  expect(new Date(monthsBefore(Date.parse(from), months)).toISOString()).toBe(to);
});
