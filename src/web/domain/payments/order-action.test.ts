import { expect, test } from 'vitest';
import { orderAction } from './order-action.ts';

const now = 1_790_000_000_000;

test('continues a payment in progress until its deadline', () => {
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

test('checks a payment with an unknown outcome, and never pays it again', () => {
  const unknown = { status: 'SUBMITTED', receipt: false, underReview: false, renewal: false } as const;
  expect(orderAction({ ...unknown, expiresAt: null }, now)).toBe('check');
  expect(orderAction({ ...unknown, expiresAt: now }, now)).toBe('check');
});

test('does not offer to repay a transfer under review, even after its deadline', () => {
  const sent = { status: 'PAYMENT_PENDING', receipt: false, underReview: true, renewal: false } as const;
  expect(orderAction({ ...sent, expiresAt: now + 1 }, now)).toBe('check');
  expect(orderAction({ ...sent, expiresAt: now }, now)).toBe('check');
});

test('retries a failed payment', () => {
  expect(
    orderAction({ status: 'PAYMENT_FAILED', expiresAt: null, receipt: false, underReview: false, renewal: false }, now),
  ).toBe('tryAgain');
});

test('offers the receipt of a paid order, even after a refund', () => {
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

test('offers no action for a cancelled order', () => {
  expect(
    orderAction(
      { status: 'PAYMENT_CANCELLED', expiresAt: null, receipt: false, underReview: false, renewal: false },
      now,
    ),
  ).toBe('none');
});

test('offers no action while a renewal is charged, and continues one that its bank wants confirmed', () => {
  const renewal = { status: 'PAYMENT_PENDING', receipt: false, underReview: false, renewal: true } as const;
  expect(orderAction({ ...renewal, expiresAt: null }, now)).toBe('check');
  expect(orderAction({ ...renewal, expiresAt: now + 1 }, now)).toBe('continue');
});
