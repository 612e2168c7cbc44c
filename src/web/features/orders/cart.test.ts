import { expect, test } from 'vitest';
import type { Order } from '../../../contract/order.ts';
import { cartOffers } from './cart.ts';

const now = 1_790_000_000_000;
const brl = (amount: number) => ({ amount, currency: 'BRL' });
const order = (orderId: string, some: Partial<Order> = {}): Order => ({
  orderId,
  status: 'PAYMENT_PENDING',
  paymentType: 'FULL',
  installments: 1,
  date: now,
  planId: '1m',
  planName: 'Monthly',
  methodCode: 'pix',
  methodName: 'Pix',
  original: brl(4990),
  discount: brl(0),
  total: brl(4990),
  discountCode: null,
  serviceStart: null,
  serviceEnd: null,
  expiresAt: null,
  paidAt: null,
  failureCode: null,
  receipt: false,
  ...some,
});
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
