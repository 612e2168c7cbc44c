import type { Order } from '../../src/contract/order.ts';

/** For tests: an order of a month that waits for its payment, made at the first instant of the tests. */
export const anOrder = (some: Partial<Order> = {}): Order => ({
  orderId: 'LUMEN0000000000000001',
  status: 'PAYMENT_PENDING',
  paymentType: 'FULL',
  installments: 1,
  date: 1_790_000_000_000,
  planId: '101',
  planName: 'Monthly',
  methodCode: 'pix',
  methodName: 'Pix',
  original: { amount: 4990, currency: 'BRL' },
  discount: { amount: 0, currency: 'BRL' },
  total: { amount: 4990, currency: 'BRL' },
  discountCode: null,
  serviceStart: null,
  serviceEnd: null,
  expiresAt: null,
  paidAt: null,
  failureCode: null,
  underReview: false,
  receipt: false,
  ...some,
});
