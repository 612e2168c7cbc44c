import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { receiptText } from './receipt-page.tsx';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const paid = anOrder({ status: 'PAYMENT_SUCCEEDED', receipt: true, paidAt: Date.UTC(2026, 10, 22, 15) });

test('shares a receipt with what was paid, and not by whom', () => {
  const serviceStart = Date.UTC(2026, 10, 22, 15);
  const text = receiptText(i18n, {
    order: paid,
    serviceStart,
    serviceEnd: serviceStart + 30 * 86_400_000,
    seller: 'Shop',
  });
  expect(text.split('\n')).toEqual([
    'Shop · Receipt',
    'Order: LUMEN0000000000000001',
    'Date: November 22, 2026',
    'Plan: Monthly',
    'Valid: November 22, 2026 – December 22, 2026',
    'Payment method: Pix',
    'Total paid: R$49.90',
  ]);
});

test('omits unknown dates from a receipt', () => {
  const text = receiptText(i18n, { order: paid, serviceStart: null, serviceEnd: null, seller: 'Shop' });
  expect(text).not.toContain('Valid');
});
