import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { NextStep } from '#contract/next-step.ts';
import type { Buyer } from '#contract/receipts.ts';
import { instant, listed, minorUnits, type Texts } from './columns.ts';
import { orders } from './orders.ts';

/**
 * INTENT: committed, the provider's answer unknown. PENDING: the provider waits for the customer or the money. ORPHANED:
 * given up without an answer, because its gateway is here no longer ([Note: Orphaned payments] in billing/orphans.ts).
 */
export type AttemptState = (typeof liveStates)[number] | 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'ORPHANED';
export const liveStates = ['INTENT', 'PENDING'] as const;
export const isLiveState = (state: AttemptState): boolean => liveStates.some((live) => live === state);

/** What the keys of tries begin with that the shop makes by itself, for a renewal; customers' own are UUIDs. */
export const ownKeyPrefix = 'renewal ';

/**
 * What the order says when this attempt pays it, beside the attempt's own method, currency, amount and installments.
 * Amounts are minor units of the attempt's currency.
 */
export interface AttemptTerms {
  readonly methodNames: Texts<string>;
  readonly flow: NextStep['type'];
  readonly original: number;
  readonly discount: number;
  readonly discountCode: string | null;
}

/**
 * One try to pay an order, and at once the record of its idempotency key: a key is spent by the attempt it made.
 * `id` is the key that the provider gets, so that asking again never charges twice.
 */
export const attempts = pgTable(
  'attempts',
  {
    id: text().primaryKey(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.orderId),
    brand: text().notNull(),
    uid: text().notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    /** HMAC of the request ([Note: Idempotency]); empty once it is no longer compared */
    requestHash: text('request_hash').notNull(),
    gateway: text().notNull(),
    methodCode: text('method_code').notNull(),
    /** minor units that the provider was asked for, interest included */
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    installments: integer().notNull(),
    /** null for attempts made before they were stored: the order's terms apply */
    terms: jsonb().$type<AttemptTerms>(),
    /** the saved card that is charged, where it is one */
    cardId: text('card_id'),
    /** what the receipt says of card and buyer, if this pays ([Note: Receipts]) */
    cardLast4: text('card_last4'),
    /** `Buyer`, encrypted (billing/buyer.ts) */
    buyerSealed: text('buyer_sealed'),
    /** of versions before: in clear, until the job `protect-buyers` has encrypted it */
    buyer: jsonb().$type<Buyer>(),
    /** the customer lets the plan renew for so much, once this pays; null where they do not */
    renewPrice: minorUnits('renew_price'),
    state: text().$type<AttemptState>().notNull(),
    /** the provider's own id of the payment */
    providerRef: text('provider_ref'),
    next: jsonb().$type<NextStep>(),
    failureCode: integer('failure_code'),
    /** of a renewal: when a process went to ask the gateway for it; before that it can be called off */
    askedAt: instant('asked_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    expiresAt: instant('expires_at'),
  },
  (table) => [
    uniqueIndex('attempts_key').on(table.brand, table.uid, table.idempotencyKey),
    uniqueIndex('attempts_one_live')
      .on(table.orderId)
      .where(sql`${table.state} in (${listed(liveStates)})`),
    index('attempts_to_ask')
      .on(nextCheckAt(table))
      .where(sql`${nextCheckAt(table)} is not null`),
    index('attempts_order').on(table.orderId),
    index('attempts_failed')
      .on(table.updatedAt)
      .where(sql`${table.state} = 'FAILED'`),
    index('attempts_orphaned')
      .on(table.updatedAt)
      .where(sql`${table.state} = 'ORPHANED'`),
    index('attempts_unprotected').on(table.updatedAt).where(isUnprotectedAttempt(table)),
    index('attempts_paypal')
      .on(table.providerRef)
      .where(sql`${table.gateway} = 'paypal'`),
  ],
);

/** Rows of versions before that identify their customer without the signing secret: the buyer, or a hash without a key. */
export function isUnprotectedAttempt({ buyer, requestHash }: Record<'buyer' | 'requestHash', SQLWrapper>): SQL {
  return sql`(${buyer} is not null or length(${requestHash}) = 64)`;
}

/** The longest that anyone waits for the next question about a payment: 10 minutes. */
const longestWaitMs = sql.raw('600000');

/** Ten years: whose outcome is unknown goes before all who wait for their payer. */
const firstByMs = sql.raw('315360000000');

/**
 * From when on the provider is asked again about a live attempt, in epoch milliseconds: at once where the outcome is
 * unknown, less often as one that waits for its payer grows older, and at its end. How long it has to be quiet before
 * comes on top. Null for what has ended.
 */
export function nextCheckAt(attempt: Record<'state' | 'createdAt' | 'updatedAt' | 'expiresAt', SQLWrapper>): SQL {
  const { state, createdAt, updatedAt, expiresAt } = attempt;
  return sql`(case ${state} when 'INTENT' then ${updatedAt} - ${firstByMs}
    when 'PENDING' then least(${updatedAt} + least(${longestWaitMs}, (${updatedAt} - ${createdAt}) / 8), ${expiresAt}) end)`;
}
