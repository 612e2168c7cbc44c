import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, methodCodeSchema, text, textSchema } from './fields.ts';

/** A saved card: a token at the gateway, of which the customer sees brand, last four digits and expiry. */
export const savedCardSchema = v.object({
  cardId: text(40),
  /** the method that it pays with */
  methodCode: methodCodeSchema,
  brand: text(20),
  last4: v.pipe(textSchema, v.regex(/^\d{4}$/)),
  expiryMonth: v.number(),
  expiryYear: v.number(),
  /** a card whose month has passed is shown, and cannot be paid with */
  expired: v.boolean(),
  /** digits of its security code */
  codeDigits: v.number(),
});
export type SavedCard = v.InferOutput<typeof savedCardSchema>;

/** The customer's saved cards, the one used last first. */
export const listCard = endpoint({
  name: 'listCard',
  method: 'POST',
  path: '/api/bill/listCard',
  access: 'customer',
  body: emptySchema,
  result: v.array(savedCardSchema),
  reads: true,
});

/** Forgets a saved card, here and at the gateway. -2511 when the customer has no such card. */
export const deleteCard = endpoint({
  name: 'deleteCard',
  method: 'POST',
  path: '/api/bill/deleteCard',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ cardId: text(40) }),
  result: emptySchema,
  errors: [-2511, 1022, -24031],
});
