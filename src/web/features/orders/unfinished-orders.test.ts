import { expect, test } from 'vitest';
import type { Order } from '#contract/order.ts';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { cartOffers } from './unfinished-orders.tsx';

const now = 1_790_000_000_000;
const order = (orderId: string, some: Partial<Order> = {}) => anOrder({ orderId, ...some });
const ids = (...items: Order[]) => cartOffers(items, now).map(({ orderId }) => orderId);

test('lists payable orders before expired ones, and at most three', () => {
  const late = { expiresAt: now - 1 };
  expect(ids(order('A', late), order('B'), order('C', late), order('D'))).toEqual(['B', 'D', 'A']);
  // a failed order is in the list below and is retried there
  expect(ids(order('A', { status: 'PAYMENT_FAILED' }))).toEqual([]);
});

test('does not offer an order that was paid or cancelled meanwhile', () => {
  expect(
    ids(order('A', { status: 'PAYMENT_SUCCEEDED', receipt: true }), order('B', { status: 'PAYMENT_CANCELLED' })),
  ).toEqual([]);
});
