import { expect, test } from 'vitest';
import { orderAction } from './order-action.ts';

const now = 1_790_000_000_000;

test('a payment under way can be gone on with, until its time is over', () => {
  expect(
    orderAction(
      { status: 'PAYMENT_PENDING', expiresAt: now + 1, receipt: false, underReview: false, renewal: false },
      now,
    ),
  ).toBe('continue');
  expect(
    orderAction({ status: 'PAYMENT_PENDING', expiresAt: now, receipt: false, underReview: false, renewal: false }, now),
  ).toBe('tryAgain');
});

test('a payment whose outcome nobody knows yet is checked, and never paid again', () => {
  const unknown = { status: 'SUBMITTED', receipt: false, underReview: false, renewal: false } as const;
  expect(orderAction({ ...unknown, expiresAt: null }, now)).toBe('check');
  expect(orderAction({ ...unknown, expiresAt: now }, now)).toBe('check');
});

test('a transfer that people look at is not offered to be paid again, whatever its time says', () => {
  const sent = { status: 'PAYMENT_PENDING', receipt: false, underReview: true, renewal: false } as const;
  expect(orderAction({ ...sent, expiresAt: now + 1 }, now)).toBe('check');
  expect(orderAction({ ...sent, expiresAt: now }, now)).toBe('check');
});

test('a payment that failed can be tried again', () => {
  expect(
    orderAction({ status: 'PAYMENT_FAILED', expiresAt: null, receipt: false, underReview: false, renewal: false }, now),
  ).toBe('tryAgain');
});

test('money that has arrived has a receipt, also after a refund', () => {
  expect(
    orderAction(
      { status: 'PAYMENT_SUCCEEDED', expiresAt: null, receipt: true, underReview: false, renewal: false },
      now,
    ),
  ).toBe('receipt');
  expect(
    orderAction(
      { status: 'REFUND_SUCCEEDED', expiresAt: null, receipt: true, underReview: false, renewal: false },
      now,
    ),
  ).toBe('receipt');
});

test('a cancelled order asks for nothing', () => {
  expect(
    orderAction(
      { status: 'PAYMENT_CANCELLED', expiresAt: null, receipt: false, underReview: false, renewal: false },
      now,
    ),
  ).toBe('none');
});

test('a renewal that is being charged asks for nothing, and one that its bank wants confirmed is gone on with', () => {
  const renewal = { status: 'PAYMENT_PENDING', receipt: false, underReview: false, renewal: true } as const;
  expect(orderAction({ ...renewal, expiresAt: null }, now)).toBe('check');
  expect(orderAction({ ...renewal, expiresAt: now + 1 }, now)).toBe('continue');
});
