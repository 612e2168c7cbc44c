import { expect, test } from 'vitest';
import { nextPollDelay, type PollMoment } from './use-payment-state.ts';

const moment = (some: Partial<PollMoment>): PollMoment => ({
  elapsed: 0,
  now: 1_790_000_000_000,
  expiresAt: null,
  errors: 0,
  chance: 0.5,
  ...some,
});

test('shows a payment within two seconds', () => {
  expect(nextPollDelay(moment({ elapsed: 0 }))).toBe(2000);
  expect(nextPollDelay(moment({ elapsed: 29_999 }))).toBe(2000);
});

test("polls less and less while the customer is in the bank's app", () => {
  expect(nextPollDelay(moment({ elapsed: 30_000 }))).toBe(5000);
  expect(nextPollDelay(moment({ elapsed: 179_999 }))).toBe(5000);
  expect(nextPollDelay(moment({ elapsed: 180_000 }))).toBe(15_000);
});

test('spreads the polls of phones that wait long', () => {
  expect(nextPollDelay(moment({ elapsed: 200_000, chance: 0 }))).toBe(12_000);
  expect(nextPollDelay(moment({ elapsed: 200_000, chance: 1 }))).toBe(18_000);
});

test('polls for a minute after the code has expired, with a last poll at the end', () => {
  const now = 1_790_000_000_000;
  expect(nextPollDelay(moment({ elapsed: 900_000, now, expiresAt: now - 50_000 }))).toBe(10_000);
  expect(nextPollDelay(moment({ elapsed: 900_000, now, expiresAt: now - 60_000 }))).toBeUndefined();
});

test('polls a failing server less often, but at least once a minute', () => {
  expect(nextPollDelay(moment({ errors: 1 }))).toBe(4000);
  expect(nextPollDelay(moment({ errors: 3 }))).toBe(16_000);
  expect(nextPollDelay(moment({ errors: 40 }))).toBe(60_000);
});
