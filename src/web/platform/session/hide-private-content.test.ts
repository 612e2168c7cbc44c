import { expect, test } from 'vitest';
import { isPrivatePage } from './hide-private-content.ts';

test('private content is hidden when the customer changes, and public content never is', () => {
  const own = [
    '/orders',
    '/account/',
    '/payment',
    '/payment-pix',
    '/payment-step',
    '/paynowTips',
    '/receipt',
    '/stb-orders',
  ];
  expect(own.map(isPrivatePage)).toEqual(own.map(() => true));
  const open = ['/', '/pricing-table', '/login', '/notice', '/paymentResult/orderId/1', '/order', '/nowhere'];
  expect(open.map(isPrivatePage)).toEqual(open.map(() => false));
});
