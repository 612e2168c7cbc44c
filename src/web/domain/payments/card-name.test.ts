import { expect, test } from 'vitest';
import { cardExpiry, cardName, formatPaymentMethod } from './payer/card-brand.ts';

test('names a saved card by its scheme, even an unknown one, and its last digits', () => {
  expect(cardName({ brand: 'visa', last4: '4242' })).toBe('Visa ••••\u00a04242');
  expect(cardName({ brand: 'UnionPay', last4: '0005' })).toBe('UnionPay ••••\u00a00005');
  expect(cardName({ brand: 'constructor', last4: '0005' })).toBe('constructor ••••\u00a00005');
});

test('names a PayPal account by its masked address', () => {
  expect(cardName({ brand: 'paypal', last4: '', account: 'a***@example.com' })).toBe('PayPal a***@example.com');
});

test('formats an expiry date as on the card', () => {
  expect(cardExpiry({ expiryMonth: 3, expiryYear: 2039 })).toBe('03/39');
  expect(cardExpiry({ expiryMonth: 12, expiryYear: 2105 })).toBe('12/05');
});

test('shows which card or method an order was paid with', () => {
  expect(formatPaymentMethod({ methodName: 'Credit card', cardLast4: '4242' })).toBe('Credit card ••••\u00a04242');
  expect(formatPaymentMethod({ methodName: 'Pix', cardLast4: null })).toBe('Pix');
});
