import { expect, test } from 'vitest';
import type { Period } from '#contract/periods.ts';
import { accessOf } from './access-text.tsx';

const day = 86_400_000;
const now = 1_800_000_000_000;
const period = (from: number, until: number): Period => ({
  kind: 'paid',
  orderId: null,
  planId: '101',
  planName: 'Monthly',
  devices: 1,
  from,
  until,
});

test('counts the days of all consecutive plans, and shows their share', () => {
  const periods = [period(now - 10 * day, now + 20 * day), period(now + 20 * day, now + 50 * day)];
  const access = accessOf({ expiredTime: now + 50 * day, periods }, now);
  expect(access).toMatchObject({ state: 'days', days: 50, runs: true });
  expect(access.share).toBeCloseTo(50 / 60);
});

test('shows nothing left without a plan or after its end', () => {
  expect(accessOf({ expiredTime: null, periods: [] }, now)).toMatchObject({ state: 'none', days: 0, runs: false });
  const ended = accessOf({ expiredTime: now - 1, periods: [] }, now);
  expect(ended).toMatchObject({ state: 'expired', days: 0, runs: false, share: 0 });
});
