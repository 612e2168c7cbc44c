import { expect, test } from 'vitest';
import type { Order } from '#contract/order.ts';
import { anOrder } from '#tests/builders/an-order-seen.ts';
import { pollDeadline, awaitsAnswer, endOf, isStepExpired, viewOfAnyone, viewOfOwner } from './payment-view.ts';

const minuteMs = 60_000;
const ends = 1_790_000_000_000;

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
    flow: 'qr',
  });
  expect(isStepExpired(view, 1_789_999_999_999)).toBe(false);
  expect(isStepExpired(view, 1_790_000_000_000)).toBe(true);
  expect(isStepExpired({ ...view, expiresAt: null }, 1_790_000_000_000)).toBe(false);
});

const order = anOrder({ expiresAt: ends });
const viewBy = (flow: Order['flow']) =>
  viewOfOwner({ order: { ...order, flow }, next: { type: 'none' }, resultToken: 'a-token-of-its-result' });

test('who was asked on the phone may have said yes at the last second: that is asked for until it is known', () => {
  const view = viewBy('push');
  expect(awaitsAnswer(view, ends - 1)).toBe(false);
  expect(awaitsAnswer(view, ends)).toBe(true);
  expect(awaitsAnswer(view, ends + 15 * minuteMs)).toBe(false);
  expect(pollDeadline(view)).toBe(ends + 15 * minuteMs);
});

test('a code whose time has passed is made again at once', () => {
  expect(awaitsAnswer(viewBy('qr'), ends)).toBe(false);
  expect(pollDeadline(viewBy('qr'))).toBe(ends);
});
