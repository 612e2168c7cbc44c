import { expect, test } from 'vitest';
import type { Order } from '../../../contract/order.ts';
import { anOrder } from '../../../../tests/builders/an-order-seen.ts';
import { cartOffers } from './cart.ts';

const now = 1_790_000_000_000;
const order = (orderId: string, some: Partial<Order> = {}) => anOrder({ orderId, ...some });
const ids = (...items: Order[]) => cartOffers(items, now).map(({ orderId }) => orderId);

test('what waits for its payment is offered before what failed, and not more than three', () => {
  const failed = { status: 'PAYMENT_FAILED' } as const;
  expect(ids(order('A', failed), order('B'), order('C', { expiresAt: now - 1 }), order('D'))).toEqual(['B', 'D', 'A']);
});

test('an order that was paid or cancelled meanwhile is not offered', () => {
  expect(
    ids(order('A', { status: 'PAYMENT_SUCCEEDED', receipt: true }), order('B', { status: 'PAYMENT_CANCELLED' })),
  ).toEqual([]);
});
