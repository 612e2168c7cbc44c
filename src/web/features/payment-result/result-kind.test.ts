import { expect, test } from 'vitest';
import type { OrderStatus } from '#contract/order-status.ts';
import type { PublicPayment } from '#contract/order.ts';
import { toPublicView } from '#web/domain/payments/use-payment-state.ts';
import { resultKind } from './use-finish.ts';

const now = 1_790_000_000_000;
const view = (status: OrderStatus, expiresAt: number | null = null, flow: PublicPayment['flow'] = 'redirect') =>
  toPublicView({
    status,
    planName: 'Monthly',
    total: { amount: 4990, currency: 'BRL' },
    expiresAt,
    failureCode: null,
    flow,
  });
const idle = { busy: false };
const nextStep = { type: 'redirect', url: 'https://wallet.example/' } as const;

test('shows "checking" while the provider is called, and not "pay until"', () => {
  expect(resultKind(view('PAYMENT_PENDING', now + 1, 'qr'), { busy: true }, now)).toBe('checking');
  expect(resultKind(view('PAYMENT_PENDING', now + 1, 'qr'), idle, now)).toBe('pending');
});

test("prefers the server's state to a call in progress", () => {
  expect(resultKind(view('PAYMENT_SUCCEEDED'), { busy: true }, now)).toBe('succeeded');
  expect(resultKind(view('PAYMENT_FAILED'), { busy: true, unpaid: true }, now)).toBe('failed');
});

test('shows that nothing was paid only after the provider has reported it', () => {
  const waits = view('PAYMENT_PENDING', now + 1);
  expect(resultKind(waits, { busy: false, nextStep, unpaid: true }, now)).toBe('left');
  expect(resultKind(waits, { busy: false, nextStep, unpaid: false }, now)).toBe('returned');
  expect(resultKind(waits, { busy: false, nextStep }, now)).toBe('returned');
  expect(resultKind(waits, idle, now)).toBe('returned');
  expect(resultKind(view('PAYMENT_PENDING', now + 1, 'none'), { busy: false, nextStep }, now)).toBe('returned');
});

test('shows "checking" for a confirmation at the bank that this browser cannot open', () => {
  expect(resultKind(view('PAYMENT_PENDING', now + 1, 'none'), idle, now)).toBe('checking');
  expect(resultKind(view('PAYMENT_PENDING'), idle, now)).toBe('checking');
});

test('shows that the deadline has passed', () => {
  expect(resultKind(view('PAYMENT_PENDING', now, 'qr'), idle, now)).toBe('lapsed');
});
