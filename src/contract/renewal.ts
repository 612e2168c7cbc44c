import * as v from 'valibot';
import { cardSchema, payerSchema } from './card.ts';
import { savedCardSchema } from './cards.ts';
import { endpoint } from './endpoint.ts';
import { methodCodeSchema, orderIdSchema, planIdSchema, text, textSchema, currencySchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { orderStatusSchema } from './order-status.ts';

/**
 * A subscription renews a plan with a saved card, by the customer's choice. Each period is an order of its own, with a
 * key made from subscription and period, so that no period is charged twice.
 *
 * - `on`: charged at `nextChargeAt`.
 * - `off`: nothing is charged; the paid access lasts until `endsAt`. It can be turned on again without a payment.
 * - `renewing`: a charge is in progress. Nothing can be changed meanwhile (`renewalUnderWay`).
 * - `pastDue`: the card was declined; retried at `nextChargeAt`, access lasts until `graceUntil`.
 * - `ended`: no charge succeeded in time, or the paid access ended while it was off.
 */
export const renewalStatusSchema = v.picklist(['on', 'off', 'renewing', 'pastDue', 'ended']);
export type RenewalStatus = v.InferOutput<typeof renewalStatusSchema>;

/**
 * What happened to a subscription. `charging`: a charge starts; `paid` or `refused`: it ended. `overtaken`: it was
 * declined, but the customer has bought days meanwhile, so that none was due. `bought`: the customer bought days;
 * `chosen`: with renewal. `ranOut`: no payment in time. `withdrawn`: its payment was reversed, or the renewal is no
 * longer offered.
 */
export type RenewalEvent =
  | 'charging'
  | 'paid'
  | 'refused'
  | 'overtaken'
  | 'bought'
  | 'chosen'
  | 'turnedOn'
  | 'turnedOff'
  | 'ranOut'
  | 'withdrawn';

type RenewalMoves = Partial<Record<RenewalEvent, RenewalStatus>>;

/** The only transition table. A charge in progress is awaited, whatever the customer buys meanwhile. */
export const renewalTable: Readonly<Record<RenewalStatus, RenewalMoves>> = {
  on: {
    charging: 'renewing',
    // there is no card to charge
    refused: 'pastDue',
    paid: 'on',
    bought: 'on',
    chosen: 'on',
    turnedOff: 'off',
    ranOut: 'ended',
    withdrawn: 'off',
  },
  off: { paid: 'off', bought: 'off', chosen: 'on', turnedOn: 'on', ranOut: 'ended' },
  renewing: {
    paid: 'on',
    refused: 'pastDue',
    overtaken: 'on',
    bought: 'renewing',
    chosen: 'renewing',
    withdrawn: 'off',
  },
  pastDue: {
    charging: 'renewing',
    refused: 'pastDue',
    paid: 'on',
    bought: 'on',
    chosen: 'on',
    turnedOff: 'off',
    ranOut: 'ended',
    withdrawn: 'off',
  },
  // renewal can be chosen again with a new purchase
  ended: { paid: 'off', bought: 'off', chosen: 'on' },
};

/** The status that an event leads to, or undefined if the table has no such transition. */
export function nextRenewalStatus(from: RenewalStatus, event: RenewalEvent): RenewalStatus | undefined {
  return renewalTable[from][event];
}

/** The terms that the customer accepts: price, days and the next charge. */
const renewalTermsSchema = v.object({
  planId: planIdSchema,
  planName: text(80),
  price: moneySchema,
  /** days that each charge pays for */
  days: v.number(),
  /** epoch milliseconds; after the last retry of a declined card, the end of access */
  nextChargeAt: v.number(),
});

const renewalChargeSchema = v.object({
  orderId: orderIdSchema,
  at: v.number(),
  amount: moneySchema,
  status: orderStatusSchema,
  last4: v.optional(text(4)),
});

/** Renewal info. Timestamps are epoch milliseconds. */
const renewalInfoSchema = v.object({
  status: renewalStatusSchema,
  terms: renewalTermsSchema,
  /** a new price that the customer has not accepted; without consent the renewal ends with the paid access */
  asks: v.nullable(moneySchema),
  /** the card that is charged; null if none was chosen or it was deleted */
  card: v.nullable(savedCardSchema),
  /** the brand has moved to another provider, which cannot charge the card */
  cardLeft: v.optional(v.boolean(), false),
  /** the card expires before the next charge */
  cardEndsBefore: v.boolean(),
  /** end of the paid access */
  endsAt: v.nullable(v.number()),
  /** end of access while past due */
  graceUntil: v.nullable(v.number()),
  /** false if brand or plan no longer offers renewal: it can only be turned off */
  offered: v.boolean(),
  /** newest first, at most 24 */
  history: v.array(renewalChargeSchema),
});
export type RenewalInfo = v.InferOutput<typeof renewalInfoSchema>;

/**
 * The customer's renewal. A plan that never renewed but could is `off` without a card. `renewalNotFound` if no plan
 * renews or could.
 */
export const renewInfo = endpoint({
  name: 'renewInfo',
  method: 'POST',
  path: '/api/job/renewInfo/v1',
  access: 'customer',
  result: renewalInfoSchema,
  reads: true,
  errors: ['renewalNotFound'],
});

const newCardSchema = v.strictObject({
  methodCode: methodCodeSchema,
  card: cardSchema,
  payer: payerSchema,
  /** as in a purchase */
  keepPayer: v.optional(v.boolean()),
});

/**
 * Turns the renewal on or off. Off takes effect at once: `renewalNotFound`, `renewalCancelled` (already off),
 * `renewalExpired`, `renewalUnderWay` during a charge. On requires a card and the displayed price:
 * `renewalCardUnavailable` if the card cannot be charged, `placePaymentFailed` with `newTotal` if the price has
 * changed. A new card is first verified and saved, as by `changeCard`: that requires an idempotency key, and has the
 * same errors (`billingCardNotUpdated`, `cardNotKept`, `methodUnsupported`). `changeFailed` if renewal is not offered,
 * `accountLeaves` during a pending deletion, `unauthorized` for a TV device or a handed-over checkout.
 */
export const updateRenewStatus = endpoint({
  name: 'updateRenewStatus',
  method: 'POST',
  path: '/api/job/updateRenewStatus/v1',
  access: 'customer',
  idempotent: 'sometimes',
  body: v.strictObject({
    status: v.picklist(['on', 'off']),
    /** for `on`: the card to charge; by default the previous one */
    cardId: v.optional(text(40)),
    /** for `on`: a new card instead of a saved one */
    newCard: v.optional(newCardSchema),
    /** for `on`: the accepted price */
    price: v.optional(
      v.strictObject({
        amount: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999_999)),
        currency: currencySchema,
      }),
    ),
    /** for `off`: the reason that the customer selected */
    reason: v.optional(v.picklist(['price', 'unused', 'quality', 'switching', 'other'])),
  }),
  result: renewalInfoSchema,
  errors: [
    'renewalNotFound',
    'renewalExpired',
    'renewalCancelled',
    'renewalCardUnavailable',
    'renewalUnderWay',
    'placePaymentFailed',
    'changeFailed',
    'billingCardNotUpdated',
    'accountLeaves',
    'cardNotKept',
    'methodUnsupported',
    'tooFrequent',
    'unauthorized',
  ],
});

/**
 * Changes the card of the renewal: a saved one, or a new one that the gateway verifies without a charge and saves.
 * `cardMismatch` for another customer's card, `billingCardNotUpdated` if the gateway refuses it (reason in
 * `params.declineCode`), `cardNotKept` for invalid card data, `renewalUnderWay` during a charge, `accountLeaves` during
 * a pending deletion. A past-due renewal is charged at once.
 */
export const changeCard = endpoint({
  name: 'changeCard',
  method: 'POST',
  path: '/api/bill/card/change',
  access: 'customer',
  ownerOnly: true,
  idempotent: true,
  body: v.union([v.strictObject({ cardId: text(40) }), newCardSchema]),
  result: renewalInfoSchema,
  errors: [
    'renewalNotFound',
    'renewalExpired',
    'renewalUnderWay',
    'cardMismatch',
    'billingCardNotUpdated',
    'accountLeaves',
    'cardNotKept',
    'methodUnsupported',
    'tooFrequent',
    'unauthorized',
  ],
});

const linkTokenSchema = v.pipe(textSchema, v.regex(/^[\w-]{20,128}$/));

/**
 * The renewal behind an email link; anyone with the email can stop it, and nothing else. `linkGone` if the link is
 * invalid.
 */
export const renewalByLink = endpoint({
  name: 'renewalByLink',
  method: 'POST',
  path: '/api/job/renewal/link/v1',
  body: v.strictObject({ token: linkTokenSchema }),
  result: v.object({ status: renewalStatusSchema, terms: renewalTermsSchema, endsAt: v.nullable(v.number()) }),
  reads: true,
  errors: ['linkGone', 'tooFrequent'],
});

/** Ends the automatic renewal by the link of an email, without a login. */
export const stopRenewalByLink = endpoint({
  name: 'stopRenewalByLink',
  method: 'POST',
  path: '/api/job/renewal/stop/v1',
  body: v.strictObject({ token: linkTokenSchema }),
  result: v.object({ endsAt: v.nullable(v.number()) }),
  errors: ['linkGone', 'renewalExpired', 'renewalCancelled', 'renewalUnderWay', 'tooFrequent'],
});
