import * as v from 'valibot';
import { endpoint } from './endpoint.ts';
import { emptySchema, methodCodeSchema, text, textSchema, currencySchema } from './fields.ts';

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
  /** false for one that a provider keeps which the brand has left: it is shown to be deleted, and nothing can be charged to it */
  usable: v.optional(v.boolean(), true),
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

/**
 * Forgets a saved card, here and at the gateway. `savedCardNotFound` when the customer has no such card, `cardRenews` for
 * one that renews.
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

/** What a card is wanted for that is typed at its provider's page; the account goes on with it afterwards. */
export const cardPurposeSchema = v.picklist(['change', 'turnOn']);
export type CardPurpose = v.InferOutput<typeof cardPurposeSchema>;

/** A provider's name for a visit of its page. */
export const cardVisitSchema = v.pipe(textSchema, v.regex(/^\w{4,255}$/));

/**
 * Opens the page of a provider that takes cards at its own (a method with the field `cardPage`), to keep one without paying.
 * The customer comes back to `/account` with `cardVisit`, `cardMethod` and `cardFor`. `methodUnsupported` where the method
 * takes none there, `billingCardNotUpdated` where the provider refuses (its reason in `params.declineCode`) or does not
 * answer, `tooFrequent` with `waitSeconds` after too many cards or declines in an hour.
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
 * Which card the customer has left at that page; it is one of their saved cards from then on. `billingCardNotUpdated` where
 * there is none, `tooFrequent` with `waitSeconds` after too many of those in an hour.
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
