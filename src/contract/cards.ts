import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, methodCodeSchema, text, textSchema, currencySchema } from './fields.ts';

/**
 * A saved card: a token at the gateway. The customer sees its brand, last four digits and expiry. An account that can be
 * charged, such as a PayPal account, is listed like a card: `account` is its masked name, and it has no digits.
 */
export const savedCardSchema = v.object({
  cardId: text(40),
  /** the payment method that charges it */
  methodCode: methodCodeSchema,
  brand: text(20),
  /** empty for an account */
  last4: v.pipe(textSchema, v.regex(/^(\d{4})?$/)),
  /** the masked name of an account, such as `a•••@example.com`; absent for a card */
  account: v.optional(text(120)),
  expiryMonth: v.number(),
  expiryYear: v.number(),
  /** an expired card is shown but cannot be charged */
  expired: v.boolean(),
  /** false if the brand no longer uses the card's provider: the card can only be deleted */
  usable: v.optional(v.boolean(), true),
  /** length of its security code */
  codeDigits: v.number(),
});
export type SavedCard = v.InferOutput<typeof savedCardSchema>;

/** The customer's saved cards, last used first. */
export const listCard = endpoint({
  name: 'listCard',
  method: 'POST',
  path: '/api/bill/listCard',
  access: 'customer',
  body: emptySchema,
  result: v.array(savedCardSchema),
  reads: true,
});

/**
 * Deletes a saved card, here and at the gateway. `savedCardNotFound` if the customer has no such card, `cardRenews` if
 * a renewal uses it.
 */
export const deleteCard = endpoint({
  name: 'deleteCard',
  method: 'POST',
  path: '/api/bill/deleteCard',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ cardId: text(40) }),
  result: emptySchema,
  errors: ['savedCardNotFound', 'cardRenews', 'deleteCardFailed', 'unauthorized'],
});

/** What a card or account saved on a provider's page is for; the account page then continues with it. */
export const cardPurposeSchema = v.picklist(['change', 'turnOn']);
export type CardPurpose = v.InferOutput<typeof cardPurposeSchema>;

/** A provider's ID of a visit to its page. */
export const cardVisitSchema = v.pipe(textSchema, v.regex(/^[\w-]{4,255}$/));

/**
 * Opens the page of a provider on which a card (a method with the field `cardPage`) or an account (`accountPage`) is
 * saved without a payment. The customer returns to `/account` with `cardMethod`, `cardFor` and the visit: `cardVisit`,
 * or `approval_token_id`, which PayPal appends. `methodUnsupported` if the method has no such page,
 * `billingCardNotUpdated` if the provider refuses (reason in `params.declineCode`) or does not answer, `tooFrequent`
 * with `waitSeconds` after too many cards or declines in an hour.
 */
export const openCardPage = endpoint({
  name: 'openCardPage',
  method: 'POST',
  path: '/api/bill/card/page/open/v1',
  access: 'customer',
  ownerOnly: true,
  idempotent: true,
  body: v.strictObject({ methodCode: methodCodeSchema, currency: currencySchema, purpose: cardPurposeSchema }),
  result: v.object({ url: v.pipe(textSchema, v.url()) }),
  errors: ['billingCardNotUpdated', 'accountLeaves', 'methodUnsupported', 'tooFrequent', 'unauthorized'],
});

/**
 * Saves the card or account of that visit, once. `billingCardNotUpdated` if none was saved there, `tooFrequent` with
 * `waitSeconds` after too many of those in an hour.
 */
export const takeCard = endpoint({
  name: 'takeCard',
  method: 'POST',
  path: '/api/bill/card/page/take/v1',
  access: 'customer',
  ownerOnly: true,
  body: v.strictObject({ methodCode: methodCodeSchema, visit: cardVisitSchema }),
  result: v.object({ cardId: text(40) }),
  errors: ['billingCardNotUpdated', 'methodUnsupported', 'tooFrequent', 'unauthorized'],
});
