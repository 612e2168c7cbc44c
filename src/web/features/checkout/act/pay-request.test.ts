import { expect, test } from 'vitest';
import * as v from 'valibot';
import { anOrder } from '#tests/builders/an-order-response.ts';
import type { Order } from '#contract/order.ts';
import { type PaymentMethod, pay } from '#contract/billing.ts';
import type { SavedCard } from '#contract/cards.ts';
import { emptyPayerForm, type CardUse } from '#web/domain/payments/payer/payer-form.ts';
import { orderOfLookup, payBody } from './pay-request.ts';

const method: PaymentMethod = {
  code: 'card',
  name: 'Card',
  icon: 'card',
  discount: 0,
  currencies: ['BRL'],
  fields: ['card', 'name', 'document'],
  settles: 'instant',
  flow: 'none',
  maxInstallments: 12,
  savesCard: true,
  renews: true,
  accountPage: false,
};
const saved: SavedCard = {
  cardId: 'card-1',
  methodCode: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: 2039,
  expired: false,
  usable: true,
  codeDigits: 3,
};
const form = {
  ...emptyPayerForm,
  number: '4242 4242 4242 4242',
  expiry: '12/39',
  code: '123',
  firstName: 'Ana',
  lastName: 'Souza',
  document: '529.982.247-25',
};
const input = { planId: '101', methodCode: 'card', currency: 'BRL', orderId: 'LUMEN0000000000000001' };
const body = (cardUse: CardUse) =>
  payBody({ input, method, quoteId: 'quote', installments: 2, form, cardUse, scene: 'WEB' });

test('sends only the code of a saved card: no number, no name, no document', () => {
  const sent = body({ saved });
  expect(sent).toMatchObject({ cardId: 'card-1', cardCode: '123', payer: {} });
  expect(sent).not.toHaveProperty('card');
  expect(JSON.stringify(sent)).not.toMatch(/4242|Ana|529/);
});

test('sends what the contract accepts, also when an order is repaid', () => {
  for (const cardUse of [{}, { saved }, { save: true }]) expect(v.is(pay.body, body(cardUse))).toBe(true);
  expect(body({ save: true }).card).toMatchObject({ save: true });
  expect(body({})).not.toHaveProperty('cardId');
});

test('sends the answer about renewal, and nothing if it was not offered', () => {
  const parts = { input, method, quoteId: 'quote', installments: 1, form, scene: 'WEB' } as const;
  expect(payBody(parts)).not.toHaveProperty('renew');
  expect(payBody({ ...parts, renew: false })).toMatchObject({ renew: false });
  const sent = payBody({ ...parts, cardUse: { saved }, renew: true });
  expect(sent).toMatchObject({ renew: true, cardId: 'card-1' });
  expect(v.is(pay.body, sent)).toBe(true);
});

test('sends no card data if the provider has its own card page, not even the code of a saved card', () => {
  const there = { ...method, fields: ['cardPage', 'name', 'document'] as const };
  const parts = { input, quoteId: 'quote', installments: 1, form, scene: 'WEB' } as const;
  const bodyOf = (cardUse: CardUse) => payBody({ ...parts, method: { ...there, fields: [...there.fields] }, cardUse });
  expect(bodyOf({ saved })).toMatchObject({ cardId: 'card-1', payer: {} });
  expect(bodyOf({ save: true })).toMatchObject({ saveCard: true, payer: { firstName: 'Ana' } });
  expect(bodyOf({})).not.toHaveProperty('saveCard');
  for (const cardUse of [{}, { saved }, { save: true }]) {
    expect(v.is(pay.body, bodyOf(cardUse))).toBe(true);
    expect(JSON.stringify(bodyOf(cardUse))).not.toMatch(/4242|12\/39|123"/);
  }
});

const sentAt = 1_790_000_000_000;
const anOrderOf = (some: Partial<Order>) => anOrder({ date: sentAt, methodCode: 'card', ...some });
const lookup = { planId: '101', sentAt, orderId: undefined };

test('finds the order of a lost request, even if the clocks differ by seconds', () => {
  const made = anOrderOf({ date: sentAt - 4000 });
  expect(orderOfLookup([made], lookup)).toBe(made);
});

test('ignores an order of yesterday or of another plan', () => {
  expect(
    orderOfLookup([anOrderOf({ date: sentAt - 86_400_000 }), anOrderOf({ planId: '102' })], lookup),
  ).toBeUndefined();
});

test('uses the newest order', () => {
  const newer = anOrderOf({ orderId: 'LUMEN0000000000000002', date: sentAt + 9000 });
  expect(orderOfLookup([anOrderOf({}), newer], lookup)).toBe(newer);
});

test('finds a repaid order by its ID, however old it is', () => {
  const old = anOrderOf({ date: sentAt - 86_400_000 });
  expect(orderOfLookup([old], { ...lookup, orderId: old.orderId })).toBe(old);
});
