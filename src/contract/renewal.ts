import * as v from 'valibot';
import { cardSchema, payerSchema } from './card.ts';
import { savedCardSchema } from './cards.ts';
import { endpoint } from './endpoint.ts';
import { methodCodeSchema, orderIdSchema, planIdSchema, text, textSchema, currencySchema } from './fields.ts';
import { moneySchema } from './money.ts';
import { orderStatusSchema } from './order-status.ts';

/**
 * [Note: Renewal] A subscription renews a plan by a saved card, because its customer chose so. Each period is an order of
 * its own, with a key made from subscription and period, so that no period is charged twice.
 *
 * - `on`: charged at `nextChargeAt`.
 * - `off`: nothing is charged; what is paid runs until `endsAt`. Turned on again without paying.
 * - `renewing`: a charge is on its way, and its outcome is not known yet. Nothing can be changed meanwhile (`renewalUnderWay`).
 * - `pastDue`: the card was refused; tried again at `nextChargeAt`, access runs until `graceUntil`.
 * - `ended`: no charge came through in time, or what was paid has run out while it was off.
 */
export const renewalStatusSchema = v.picklist(['on', 'off', 'renewing', 'pastDue', 'ended']);
export type RenewalStatus = v.InferOutput<typeof renewalStatusSchema>;

/**
 * What happened to a subscription. `charging`: a charge is made. `paid` and `refused`: its end, whoever tells of it.
 * `overtaken`: the charge was refused, but meanwhile its customer has bought days, so that none was due. `bought`: they
 * have bought days by hand; `chosen`: and let them renew. `ranOut`: nothing was paid in time. `withdrawn`: its money was
 * taken back, or nobody offers it any more.
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

/** The only table of moves. A charge that is on its way is waited for, whatever its customer buys beside it. */
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
  // days that were bought again can be let renew again
  ended: { paid: 'off', bought: 'off', chosen: 'on' },
};

/** The status that an event leads to, or undefined when the table has no such move. */
export function nextRenewalStatus(from: RenewalStatus, event: RenewalEvent): RenewalStatus | undefined {
  return renewalTable[from][event];
}

/** What is agreed to when it is turned on: how much, every how many days, and when first. */
export const renewalTermsSchema = v.object({
  planId: planIdSchema,
  planName: text(80),
  price: moneySchema,
  /** days that each charge pays for */
  days: v.number(),
  /** epoch milliseconds; after the last try of a card that is refused, when access ends */
  nextChargeAt: v.number(),
});
export type RenewalTerms = v.InferOutput<typeof renewalTermsSchema>;

export const renewalChargeSchema = v.object({
  orderId: orderIdSchema,
  at: v.number(),
  amount: moneySchema,
  status: orderStatusSchema,
  last4: v.optional(text(4)),
});

/** Renewal info. Instants are epoch milliseconds. */
export const renewalInfoSchema = v.object({
  status: renewalStatusSchema,
  terms: renewalTermsSchema,
  /** a new price of the plan that the customer has not agreed to; without a yes the renewal ends with what is paid */
  asks: v.nullable(moneySchema),
  /** the card that is charged; null when it was never chosen or is gone */
  card: v.nullable(savedCardSchema),
  /** the shop has moved to another provider, which cannot charge the card */
  cardLeft: v.optional(v.boolean(), false),
  /** the card runs out before the next charge */
  cardEndsBefore: v.boolean(),
  /** what is paid ends then */
  endsAt: v.nullable(v.number()),
  /** while past due: access runs until then */
  graceUntil: v.nullable(v.number()),
  /** false where neither brand nor plan offers it any more: it can only be turned off */
  offered: v.boolean(),
  /** newest first, at most 24 */
  history: v.array(renewalChargeSchema),
});
export type RenewalInfo = v.InferOutput<typeof renewalInfoSchema>;

/**
 * `renewalNotFound` for a customer without a plan that renews or could. A plan that could, and never did, is `off` without a
 * card.
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
  /** as at a purchase */
  keepPayer: v.optional(v.boolean()),
});

/**
 * Turns it on or off. Off is at once and free: `renewalNotFound` none, `renewalCancelled` off already, `renewalExpired`
 * ended, `renewalUnderWay` while a charge is on its way. On takes a card and the price that was shown:
 * `renewalCardUnavailable` where the card cannot be charged, `placePaymentFailed` with `newTotal` where the price is another
 * one by now. A card that is not kept yet is verified and kept first, as by `changeCard`, which needs a key, and is refused
 * as there (`billingCardNotUpdated`, `cardNotKept`, `methodUnsupported`); `changeFailed` where neither plan nor brand offers
 * it, `accountLeaves` while the account is to be deleted. `unauthorized` for who only watches and buys.
 */
export const updateRenewStatus = endpoint({
  name: 'updateRenewStatus',
  method: 'POST',
  path: '/api/job/updateRenewStatus/v1',
  access: 'customer',
  idempotent: 'sometimes',
  body: v.strictObject({
    status: v.picklist(['on', 'off']),
    /** on: the card to charge; without one the card of before */
    cardId: v.optional(text(40)),
    /** on: a card that is not kept yet, in the place of one that is */
    newCard: v.optional(newCardSchema),
    /** on: the price that was agreed to */
    price: v.optional(
      v.strictObject({
        amount: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999_999)),
        currency: currencySchema,
      }),
    ),
    /** off: why, in the customer's own choice of a list */
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
 * Another card for the renewal: a saved one, or a new one that the gateway verifies without a charge and keeps.
 * `cardMismatch` for a card that is not this customer's, `billingCardNotUpdated` where the gateway refuses it (its reason in
 * `params.declineCode`), `cardNotKept` for card data that cannot be, `renewalUnderWay` while a charge is on its way,
 * `accountLeaves` while the account is to be deleted. A renewal that is past due is charged at once with it.
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

/** What a link in a mail about a renewal leads to; anybody who holds the mail may stop it, and nothing else. 10302: gone. */
export const renewalByLink = endpoint({
  name: 'renewalByLink',
  method: 'POST',
  path: '/api/job/renewal/link/v1',
  body: v.strictObject({ token: linkTokenSchema }),
  result: v.object({ status: renewalStatusSchema, terms: renewalTermsSchema, endsAt: v.nullable(v.number()) }),
  reads: true,
  errors: ['linkGone', 'tooFrequent'],
});

export const stopRenewalByLink = endpoint({
  name: 'stopRenewalByLink',
  method: 'POST',
  path: '/api/job/renewal/stop/v1',
  body: v.strictObject({ token: linkTokenSchema }),
  result: v.object({ endsAt: v.nullable(v.number()) }),
  errors: ['linkGone', 'renewalExpired', 'renewalCancelled', 'renewalUnderWay', 'tooFrequent'],
});
