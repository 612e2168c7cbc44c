import { expect, test } from 'vitest';
import { announcedMinutes, timeLeft } from './countdown.tsx';

const hour = 3600;

test('a slip that is good for three days says days, and not how many hours they are', () => {
  expect(timeLeft(3 * 24 * hour + 5)).toEqual({ days: 3 });
  expect(timeLeft(24 * hour)).toEqual({ days: 1 });
});

test('the last day is counted by the clock', () => {
  expect(timeLeft(24 * hour - 1)).toEqual({ clock: '23:59:59' });
  expect(timeLeft(61)).toEqual({ clock: '01:01' });
  expect(timeLeft(0)).toEqual({ clock: '00:00' });
});

test('is read out at five minutes, at one and at the end, and says nothing that is not true', () => {
  expect([301, 300, 60, 0].map(announcedMinutes)).toEqual([undefined, 5, 1, 0]);
  // somebody comes at 1:59, or back to a page that slept over the moment
  expect([119, 290, 54, 1, undefined].map(announcedMinutes)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
