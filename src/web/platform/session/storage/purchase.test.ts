import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paymentInProgress, purchaseIntent } from './purchase.ts';
import { openBrowser } from './test-browser.ts';

beforeEach(() => void openBrowser());
afterEach(() => void vi.unstubAllGlobals());

describe('a purchase intent', () => {
  it('has one key across reloads and tabs, for one customer and one plan', () => {
    const { idempotencyKey } = purchaseIntent('u1', '30').getOrCreate();
    expect(idempotencyKey).toMatch(/^[\da-f-]{36}$/);
    expect(purchaseIntent('u1', '30').getOrCreate().idempotencyKey).toBe(idempotencyKey);
    expect(purchaseIntent('u1', '365').getOrCreate().idempotencyKey).not.toBe(idempotencyKey);
    expect(purchaseIntent('u2', '30').getOrCreate().idempotencyKey).not.toBe(idempotencyKey);
  });

  it('gets another key only when it is replaced or cleared', () => {
    const intent = purchaseIntent('u1', '30');
    const first = intent.getOrCreate();
    intent.markSent();
    expect(intent.getOrCreate().idempotencyKey).toBe(first.idempotencyKey);
    expect(intent.getOrCreate().sentAt).toBeTypeOf('number');
    const second = intent.replace();
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    expect(second.sentAt).toBeUndefined();
    intent.clear();
    expect(intent.getOrCreate().idempotencyKey).not.toBe(second.idempotencyKey);
  });

  it('can be made on a phone that opened the storefront without https', () => {
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(171) });
    expect(purchaseIntent('u1', '30').getOrCreate().idempotencyKey).toBe('abababab-abab-4bab-abab-abababababab');
  });
});

describe('a payment in progress', () => {
  const payment = {
    orderId: 'LUMEN12345678901234567890',
    methodCode: 'pix',
    startedAt: 1,
    expiresAt: null,
    resumePath: '/payment-pix?orderId=LUMEN12345678901234567890',
    resultToken: 'abcdefghijklmnop',
  };

  it('is found again at the next start', () => {
    paymentInProgress.set(payment);
    expect(paymentInProgress.get()).toEqual(payment);
    paymentInProgress.clear();
    expect(paymentInProgress.get()).toBeUndefined();
  });

  it('never leads to another site', () => {
    paymentInProgress.set({ ...payment, resumePath: '//evil.example' });
    expect(paymentInProgress.get()).toBeUndefined();
  });
});
