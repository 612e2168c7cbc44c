import { expect, test } from 'vitest';
import type { Order } from '#contract/order.ts';
import { anOrder } from '#tests/builders/an-order-response.ts';
import {
  pollDeadline,
  awaitsAnswer,
  finalOutcomeOf,
  isStepExpired,
  toPublicView,
  toOwnerView,
} from './use-payment-state.ts';

const minuteMs = 60_000;
const ends = 1_790_000_000_000;

test('treats a refunded payment as paid', () => {
  expect(finalOutcomeOf('PAYMENT_SUCCEEDED')).toBe('succeeded');
  expect(finalOutcomeOf('REFUND_PENDING')).toBe('succeeded');
  expect(finalOutcomeOf('CHARGEBACK_REJECTED')).toBe('succeeded');
});

test('treats a submitted or pending payment as open', () => {
  expect(finalOutcomeOf('SUBMITTED')).toBeUndefined();
  expect(finalOutcomeOf('PAYMENT_PENDING')).toBeUndefined();
  expect(finalOutcomeOf('PAYMENT_FAILED')).toBe('failed');
  expect(finalOutcomeOf('PAYMENT_CANCELLED')).toBe('cancelled');
});

test('expires a code on its second, and a payment without a deadline never', () => {
  const view = toPublicView({
    status: 'PAYMENT_PENDING',
    planName: 'Monthly',
    total: { amount: 4990, currency: 'BRL' },
    expiresAt: 1_790_000_000_000,
    failureCode: null,
    flow: 'qr',
  });
  expect(isStepExpired(view, 1_789_999_999_999)).toBe(false);
  expect(isStepExpired(view, 1_790_000_000_000)).toBe(true);
  expect(isStepExpired({ ...view, expiresAt: null }, 1_790_000_000_000)).toBe(false);
});

const order = anOrder({ expiresAt: ends });
const viewBy = (flow: Order['flow']) =>
  toOwnerView({ order: { ...order, flow }, next: { type: 'none' }, resultToken: 'a-token-of-its-result' });

test('polls for a confirmation on the phone after the deadline, until its outcome is known', () => {
  const view = viewBy('push');
  expect(awaitsAnswer(view, ends - 1)).toBe(false);
  expect(awaitsAnswer(view, ends)).toBe(true);
  expect(awaitsAnswer(view, ends + 15 * minuteMs)).toBe(false);
  expect(pollDeadline(view)).toBe(ends + 15 * minuteMs);
});

test('offers a new code as soon as one has expired', () => {
  expect(awaitsAnswer(viewBy('qr'), ends)).toBe(false);
  expect(pollDeadline(viewBy('qr'))).toBe(ends);
});
