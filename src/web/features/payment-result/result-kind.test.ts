import { expect, test } from 'vitest';
import type { OrderStatus } from '../../../contract/order-status.ts';
import { viewOfAnyone } from '../../domain/payments/payment-view.ts';
import { resultKind } from './result-kind.ts';

const now = 1_790_000_000_000;
const view = (status: OrderStatus, expiresAt: number | null = null) =>
  viewOfAnyone({
    status,
    planName: 'Monthly',
    total: { amount: 4990, currency: 'BRL' },
    expiresAt,
    failureCode: null,
  });
const idle = { busy: false };

test('who is back from the provider hears "checking" until the provider has been told, and not "pay until"', () => {
  expect(resultKind(view('PAYMENT_PENDING', now + 1), { busy: true }, now)).toBe('checking');
  expect(resultKind(view('PAYMENT_PENDING', now + 1), idle, now)).toBe('pending');
});

test('what the server knows wins over what is still being told', () => {
  expect(resultKind(view('PAYMENT_SUCCEEDED'), { busy: true }, now)).toBe('succeeded');
  expect(resultKind(view('PAYMENT_FAILED'), { busy: true }, now)).toBe('failed');
});

test('who comes back from a provider without having paid hears that, and not that it is waited for', () => {
  const wants = { type: 'redirect', url: 'https://wallet.example/' } as const;
  expect(resultKind(view('PAYMENT_PENDING'), { busy: false, wants }, now)).toBe('left');
  expect(resultKind(view('PAYMENT_PENDING'), idle, now)).toBe('checking');
});

test('a time that has passed is told', () => {
  expect(resultKind(view('PAYMENT_PENDING', now), idle, now)).toBe('lapsed');
});
