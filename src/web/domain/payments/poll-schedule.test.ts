import { expect, test } from 'vitest';
import { nextPollDelay, type PollMoment } from './poll-schedule.ts';

const moment = (some: Partial<PollMoment>): PollMoment => ({
  elapsed: 0,
  now: 1_790_000_000_000,
  expiresAt: null,
  errors: 0,
  chance: 0.5,
  ...some,
});

test('somebody who has just paid hears of it within two seconds', () => {
  expect(nextPollDelay(moment({ elapsed: 0 }))).toBe(2000);
  expect(nextPollDelay(moment({ elapsed: 29_999 }))).toBe(2000);
});

test('somebody who is still in the app of the bank costs less and less', () => {
  expect(nextPollDelay(moment({ elapsed: 30_000 }))).toBe(5000);
  expect(nextPollDelay(moment({ elapsed: 179_999 }))).toBe(5000);
  expect(nextPollDelay(moment({ elapsed: 180_000 }))).toBe(15_000);
});

test('phones that wait for long do not ask in the same second', () => {
  expect(nextPollDelay(moment({ elapsed: 200_000, chance: 0 }))).toBe(12_000);
  expect(nextPollDelay(moment({ elapsed: 200_000, chance: 1 }))).toBe(18_000);
});

test('asking goes on for a minute after the code has expired, with a last ask at the very end', () => {
  const now = 1_790_000_000_000;
  expect(nextPollDelay(moment({ elapsed: 900_000, now, expiresAt: now - 50_000 }))).toBe(10_000);
  expect(nextPollDelay(moment({ elapsed: 900_000, now, expiresAt: now - 60_000 }))).toBeUndefined();
});

test('a server in trouble is asked more rarely, but never less than once a minute', () => {
  expect(nextPollDelay(moment({ errors: 1 }))).toBe(4000);
  expect(nextPollDelay(moment({ errors: 3 }))).toBe(16_000);
  expect(nextPollDelay(moment({ errors: 40 }))).toBe(60_000);
});
