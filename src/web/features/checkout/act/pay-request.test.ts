import { expect, test } from 'vitest';
import type { PaymentMethod } from '../../../../contract/billing.ts';
import type { SavedCard } from '../../../../contract/cards.ts';
import { pay } from '../../../../contract/billing.ts';
import * as v from 'valibot';
import { payBody } from './pay-request.ts';
import { emptyPayerForm, type CardUse } from '../payer/payer-form.ts';

const method: PaymentMethod = {
  code: 'card',
  name: 'Card',
  icon: 'card',
  discount: 0,
  currencies: ['BRL'],
  fields: ['card', 'name', 'document'],
  settles: 'instant',
  maxInstallments: 12,
  savesCard: true,
};
const saved: SavedCard = {
  cardId: 'card-1',
  methodCode: 'card',
  brand: 'visa',
  last4: '4242',
  expiryMonth: 12,
  expiryYear: 2039,
  expired: false,
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

test('a saved card is paid by its code alone: no number, no name, no document', () => {
  const sent = body({ saved });
  expect(sent).toMatchObject({ cardId: 'card-1', cardCode: '123', payer: {} });
  expect(sent).not.toHaveProperty('card');
  expect(JSON.stringify(sent)).not.toMatch(/4242|Ana|529/);
});

test('what is sent is what the contract takes, also when an order is repaid', () => {
  for (const cardUse of [{}, { saved }, { save: true }]) expect(v.is(pay.body, body(cardUse))).toBe(true);
  expect(body({ save: true }).card).toMatchObject({ save: true });
  expect(body({})).not.toHaveProperty('cardId');
});
