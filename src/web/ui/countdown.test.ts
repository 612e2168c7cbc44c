import { expect, test } from 'vitest';
import { announcedMinutes, timeLeft } from './countdown.tsx';

const hour = 3600;

test('a payment slip that is valid for three days shows days instead of hours', () => {
  expect(timeLeft(3 * 24 * hour + 5)).toEqual({ days: 3 });
  expect(timeLeft(24 * hour)).toEqual({ days: 1 });
});

test('the last day is shown as a clock', () => {
  expect(timeLeft(24 * hour - 1)).toEqual({ clock: '23:59:59' });
  expect(timeLeft(61)).toEqual({ clock: '01:01' });
  expect(timeLeft(0)).toEqual({ clock: '00:00' });
});

test('is announced at five minutes, at one minute and at the end, and never late', () => {
  expect([301, 300, 60, 0].map(announcedMinutes)).toEqual([undefined, 5, 1, 0]);
  // the page is opened at 1:59, or wakes up after the announcement was due
  expect([119, 290, 54, 1, undefined].map(announcedMinutes)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
