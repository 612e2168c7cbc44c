import * as v from 'valibot';
import { nonEmptyText } from '#contract/fields.ts';
import { knownCurrencySchema } from '#contract/money.ts';
import { nextStepSchema } from '#contract/next-step.ts';
import { payerFieldSchema } from '#contract/payer.ts';
import {
  amounts,
  areaCode,
  bannerId,
  byLanguage,
  couponCode,
  day,
  gatewayName,
  iconName,
  methodCode,
  ownPath,
  planId,
  providerName,
  texts,
  usually,
  whole,
} from './schema-values.ts';

/**
 * What a brand sells, by which methods, and what it announces. The comments are printed in `docs/brand-file.md`: a
 * setting whose name says everything else still has one.
 */

export const planSchema = v.strictObject({
  /** Names the plan in orders, for ever. */
  id: planId,
  /** The days of access that one purchase adds. They cannot change once the plan was sold. */
  days: whole(1, 3660),
  /** How many devices can play at the same time, which your app limits. It cannot change once the plan was sold. */
  devices: whole(1, 100),
  /** The price in each currency in which the plan is sold. */
  prices: amounts,
  /** A price of 0 needs it, because without it customers would get a plan without paying by mistake. */
  free: usually(v.boolean(), false),
  /** Prices that are crossed out beside the price. */
  listPrices: v.optional(amounts, {}),
  /** Marks the plan as recommended: the first one that has it. */
  recommended: usually(v.boolean(), false),
  /** Whether customers can turn on its renewal. `payment.renewal` decides how it is offered. */
  renews: usually(v.boolean(), true),
  /** What customers read. */
  texts: byLanguage(
    v.strictObject({
      /** The name on pages, receipts and invoices. */
      name: nonEmptyText(80),
      /** One sentence below the name. */
      description: nonEmptyText(400),
      /** The list of what the plan contains. */
      features: v.array(nonEmptyText(160)),
    }),
  ),
});

export const methodSchema = v.strictObject({
  /** Names the method in orders and commands. */
  code: methodCode,
  /** The provider that serves it, see docs/payment-providers.md. */
  gateway: gatewayName,
  /** Its name in the checkout. */
  names: texts(60),
  /** Its drawing, if the shop has none for its code: `bank`, `card`, `crypto`, `mobile`, `qr`, `ticket` or `wallet`. */
  icon: iconName,
  /** The discount for paying by it, in per cent. */
  discount: usually(whole(0, 99), 0),
  /** The currencies of the brand that can be paid by it. */
  currencies: v.array(knownCurrencySchema),
  /** What the payer is asked for, as the provider needs it. `cardPage` is a card typed on the provider's page. */
  fields: usually(v.array(payerFieldSchema), []),
  /** How soon access begins, as the checkout says it. */
  settles: v.picklist(['instant', 'minutes', 'days']),
  /** What the customer does after the order: the provider's page, a QR code, a slip, a prompt, a transfer. */
  flow: usually(v.picklist(nextStepSchema.options.map(({ entries }) => entries.type.literal)), 'none'),
  /** Payment by card in parts. */
  installments: v.optional(
    v.strictObject({
      /** The largest number of parts. */
      max: whole(1, 24),
      /** Up to this number of parts there is no interest. */
      interestFree: usually(whole(1, 24), 1),
      /** Per cent per month for more parts, with at most two decimals. */
      interest: usually(v.pipe(v.number(), v.minValue(0), v.maxValue(50)), 0),
    }),
    { max: 1 },
  ),
  /** Offers to save the card, which renewals need. */
  savesCard: usually(v.boolean(), false),
  /** What some gateways need. */
  details: v.optional(
    v.strictObject({
      /** The calling code of the phone number, for each currency. The field `mobile` needs it. */
      diallingCodes: v.exactOptional(v.record(knownCurrencySchema, areaCode)),
      /** The provider's own name of the method, from its documentation, for Payssion and UseePay. */
      pmId: v.exactOptional(providerName),
      /** Who receives a bank transfer. The gateway `transfer` needs it. */
      receiver: v.exactOptional(
        v.strictObject({
          /** The owner of the account. */
          name: nonEmptyText(80),
          /** The account, as customers type it. */
          account: nonEmptyText(80),
          /** How long your staff usually take to check a proof, in hours. The page says it. */
          checkedWithinHours: v.exactOptional(whole(1, 240)),
        }),
      ),
    }),
    {},
  ),
});

export const couponSchema = v.strictObject({
  /** What customers type. */
  code: couponCode,
  /** The discount in per cent. A coupon has this or `amount`. */
  percent: v.optional(whole(1, 100)),
  /** The discount as an amount. */
  amount: v.optional(v.pipe(v.number(), v.minValue(0.001))),
  /** The currency of `amount`. */
  currency: v.optional(knownCurrencySchema),
  /** The plans for which it counts. An empty list means all. */
  plans: usually(v.array(planId), []),
  /** How many orders can use it, of all customers together. */
  uses: whole(1, 1_000_000_000),
  /** Uses before the shop began to count. */
  used: usually(whole(0, 1_000_000_000), 0),
  /** Its first day. */
  from: day,
  /** Its last day. */
  until: day,
  /** Only for customers who never bought. */
  firstPurchaseOnly: usually(v.boolean(), false),
});

export const bannerSchema = v.strictObject({
  /** Names the banner. */
  id: bannerId,
  /** Its sentence. */
  texts: texts(200),
  /** The page to which it leads. */
  link: v.optional(ownPath),
});
