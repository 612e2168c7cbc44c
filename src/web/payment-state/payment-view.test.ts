import { expect, test } from 'vitest';
import { endOf, isLapsed, viewOfAnyone } from './payment-view.ts';

test('a payment that was refunded later was paid all the same', () => {
  expect(endOf('PAYMENT_SUCCEEDED')).toBe('succeeded');
  expect(endOf('REFUND_PENDING')).toBe('succeeded');
  expect(endOf('CHARGEBACK_REJECTED')).toBe('succeeded');
});

test('a payment that is submitted or pending has not ended', () => {
  expect(endOf('SUBMITTED')).toBeUndefined();
  expect(endOf('PAYMENT_PENDING')).toBeUndefined();
  expect(endOf('PAYMENT_FAILED')).toBe('failed');
  expect(endOf('PAYMENT_CANCELLED')).toBe('cancelled');
});

test('a code is gone at its very second, and a payment without an end never is', () => {
  const view = viewOfAnyone({
    status: 'PAYMENT_PENDING',
    planName: 'Monthly',
    total: { amount: 4990, currency: 'BRL' },
    expiresAt: 1_790_000_000_000,
    failureCode: null,
  });
  expect(isLapsed(view, 1_789_999_999_999)).toBe(false);
  expect(isLapsed(view, 1_790_000_000_000)).toBe(true);
  expect(isLapsed({ ...view, expiresAt: null }, 1_790_000_000_000)).toBe(false);
});
