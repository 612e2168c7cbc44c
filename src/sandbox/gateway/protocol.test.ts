import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  chargeRequestSchema,
  chargeViewSchema,
  noticeSchema,
  refundRequestSchema,
  refundViewSchema,
  saveCardRequestSchema,
  saveCardViewSchema,
  stepSchema,
} from './protocol.ts';

const key = '4f9c1d1e-8a53-4a6e-9d0e-2b7c1f3a5d60';
const charge = { key, amount: 500, currency: 'USD' };
const view = { ...charge, status: 'waiting', publicId: 'ch_1', declineCode: null, expiresAt: null };
const savedCard = { token: 'tok_1', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2039, codeDigits: 3 };
const card = {
  number: '4242424242424242',
  code: '123',
  expiry: '12/39',
  holderFirstName: 'Ana',
  holderLastName: 'Lima',
};
const request = {
  ...charge,
  gateway: 'sandbox',
  kind: 'card',
  methodCode: 'card',
  brand: 'lumen',
  merchantName: 'Lumen',
  installments: 1,
  payer: {},
  returnUrl: 'https://lumen.example/',
  label: 'A1',
};

/** A valid message of each kind. */
const messages: readonly [string, v.GenericSchema, object][] = [
  ['a charge request', chargeRequestSchema, request],
  ['a charge', chargeViewSchema, { ...view, savedCard, refusal: { error: 'operationUnsupported' } }],
  ['a request to save a card', saveCardRequestSchema, { brand: 'lumen', currency: 'USD', card }],
  ['a saved card', saveCardViewSchema, { savedCard }],
  ['a step', stepSchema, { type: 'submitCode', code: '123456' }],
  ['a refund request', refundRequestSchema, { part: { number: 1, amount: 100 } }],
  ['a refund', refundViewSchema, { done: true }],
  ['a notice', noticeSchema, { ...view, id: 'evt_12345678', event: 'refund', part: { amount: 100, number: 1 } }],
];

describe('the protocol between the server and the sandbox bank', () => {
  it.each(messages)('accepts %s and refuses an unknown key in it', (_, schema, message) => {
    expect(v.safeParse(schema, message).issues).toBeUndefined();
    expect(v.is(schema, { ...message, unknownKey: 1 })).toBe(false);
  });

  it('refuses an unknown key inside of a message', () => {
    const inside: readonly [v.GenericSchema, object][] = [
      [chargeViewSchema, { ...view, savedCard: { ...savedCard, unknownKey: 1 } }],
      [chargeViewSchema, { ...view, refusal: { error: 'operationUnsupported', unknownKey: 1 } }],
      [chargeRequestSchema, { ...request, savedCard: { token: 'tok_1', unknownKey: 1 } }],
      [refundRequestSchema, { part: { number: 1, amount: 100, unknownKey: 1 } }],
      [noticeSchema, { ...view, id: 'evt_12345678', event: 'refund', part: { amount: 1, ref: 'r', unknownKey: 1 } }],
    ];
    expect(inside.map(([schema, message]) => v.is(schema, message))).toEqual(inside.map(() => false));
  });
});
