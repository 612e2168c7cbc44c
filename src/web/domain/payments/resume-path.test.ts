import { expect, test } from 'vitest';
import { matchPath } from '#contract/paths.ts';
import type { NextStep } from '#contract/next-step.ts';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { resumePath, nextPathOf } from './resume-path.ts';

const orderId = 'LUMEN12345678901234567890';
const amount = { amount: 4990, currency: 'BRL' };
const expiresAt = 1_790_000_000_000;
const transfer = {
  type: 'upload',
  payload: null,
  receiver: { name: 'Shop', account: '1' },
  reference: 'A1',
  amount,
  proof: 'none',
  expiresAt,
} as const;

const ways: readonly (readonly [string, NextStep])[] = [
  ['/payment-pix', { type: 'qr', payload: 'x', amount, expiresAt }],
  ['/payment-redirect', { type: 'redirect', url: 'https://bank.example/' }],
  ['/paynowTips', { ...transfer, flavour: 'paynow' }],
  ['/paymentCaishen', { ...transfer, flavour: 'caishen' }],
  ['/payment-step', { type: 'push', phone: '+254 •••78', amount, expiresAt }],
  ['/payment-step', { type: 'otp', digits: 6, sentTo: null, triesLeft: 3, amount, expiresAt }],
  ['/payment-step', { type: 'crypto', options: [], chosen: null, amount, expiresAt }],
  ['/payment-step', { type: 'ticket', barcode: '0'.repeat(44), line: '0', amount, dueDate: '2026-11-26', expiresAt }],
];

test.each(ways)('resumes the payment at %s, an existing address', (path, next) => {
  expect(resumePath(orderId, next)).toBe(`${path}?orderId=${orderId}`);
  expect(matchPath(path)).toBe(path);
});

test('leads a payment without a step to the result page, without a secret in the address', () => {
  expect(resumePath(orderId, { type: 'none' })).toBe(`/paymentResult?orderId=${orderId}`);
});

test('leads a renewal that its bank wants confirmed to the checkout, and one being charged to the result page', () => {
  const order = anOrder({ orderId, renewal: true, expiresAt });
  const next = { type: 'none' } as const;
  expect(nextPathOf({ order, next })).toBe(`/payment?planId=${order.planId}&orderId=${orderId}`);
  expect(nextPathOf({ order: { ...order, expiresAt: null }, next })).toBe(`/paymentResult?orderId=${orderId}`);
  expect(nextPathOf({ order: { ...order, renewal: false }, next })).toBe(`/paymentResult?orderId=${orderId}`);
});
