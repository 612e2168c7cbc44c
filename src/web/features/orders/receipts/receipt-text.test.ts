import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { anOrder } from '#tests/builders/an-order-response.ts';
import { receiptText, receiptTitle } from './receipt-text.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
const paid = anOrder({ status: 'PAYMENT_SUCCEEDED', receipt: true, paidAt: Date.UTC(2026, 10, 22, 15) });

test('shares a receipt with what was paid, and not by whom', () => {
  const serviceStart = Date.UTC(2026, 10, 22, 15);
  const text = receiptText(i18n, {
    title: receiptTitle(undefined),
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
  const text = receiptText(i18n, {
    title: receiptTitle(undefined),
    order: paid,
    serviceStart: null,
    serviceEnd: null,
    seller: 'Shop',
  });
  expect(text).not.toContain('Valid');
});

test('calls a paper with an invoice number an invoice, and a paper with a credit note alone a receipt', () => {
  const money = { amount: 1990, currency: 'BRL' };
  const amounts = { gross: money, net: money, tax: { ...money, amount: 0 } };
  const invoice = {
    kind: 'invoice',
    number: 'LUM-2026-000001',
    issuedAt: 0,
    ...amounts,
    taxName: null,
    rate: null,
  } as const;
  const titleWith = (invoices: Parameters<typeof receiptTitle>[0]) => i18n._(receiptTitle(invoices));
  expect(titleWith({ invoices: [invoice] })).toBe('Invoice');
  expect(titleWith({ invoices: [{ ...invoice, kind: 'creditNote' }] })).toBe('Receipt');
  expect(titleWith({ invoices: [] })).toBe('Receipt');
});
