import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { NextStep } from '#contract/next-step.ts';
import type { Buyer } from '#contract/receipts.ts';
import { instant, sqlLiterals, minorUnits, type Texts } from './columns.ts';
import { orders } from './orders.ts';

/**
 * INTENT: committed, the provider's response unknown. PENDING: the provider waits for the customer or the money.
 * ORPHANED: ended without an outcome, because its gateway is no longer configured (billing/apply-gateway-result.ts).
 */
export type AttemptState = (typeof liveStates)[number] | 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'ORPHANED';
export const liveStates = ['INTENT', 'PENDING'] as const;
export const isLiveState = (state: AttemptState): boolean => liveStates.some((live) => live === state);

/** The prefix of keys of attempts that the shop starts itself, for a renewal; keys of customers are UUIDs. */
export const renewalKeyPrefix = 'renewal ';

/**
 * What the order gets when this attempt pays it, besides the attempt's own method, currency, amount and installments.
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
 * One attempt to pay an order, and the record of its idempotency key: a key is used up by the attempt that it made.
 * `id` is the key that the provider receives, so that a repeated request never charges twice.
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
    /** minor units that were requested from the provider, interest included */
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    installments: integer().notNull(),
    /** null for attempts made before they were stored: the order's terms apply */
    terms: jsonb().$type<AttemptTerms>(),
    /** the saved card that is charged, if any */
    cardId: text('card_id'),
    /** details of card and buyer for the receipt, if this attempt pays */
    cardLast4: text('card_last4'),
    /** `Buyer`, encrypted (billing/check-payer.ts) */
    buyerSealed: text('buyer_sealed'),
    /** of earlier versions, unencrypted until the job `protect-buyers` encrypts it */
    buyer: jsonb().$type<Buyer>(),
    /** the price at which the customer agrees to renew once this is paid; null without consent */
    renewPrice: minorUnits('renew_price'),
    state: text().$type<AttemptState>().notNull(),
    /** the provider's own id of the payment */
    providerRef: text('provider_ref'),
    next: jsonb().$type<NextStep>(),
    failureCode: integer('failure_code'),
    /** emails about its Boleto: 1 after the slip itself, 2 after the reminder */
    slipMails: integer('slip_mails').notNull().default(0),
    /** of a renewal: when a process called the gateway for it; it can be called off before that */
    askedAt: instant('asked_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    expiresAt: instant('expires_at'),
  },
  (table) => [
    uniqueIndex('attempts_key').on(table.brand, table.uid, table.idempotencyKey),
    uniqueIndex('attempts_one_live')
      .on(table.orderId)
      .where(sql`${table.state} in (${sqlLiterals(liveStates)})`),
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
    index('attempts_slip_reminder').on(table.expiresAt).where(awaitsSlipReminder(table)),
    index('attempts_unprotected').on(table.updatedAt).where(isUnprotectedAttempt(table)),
    index('attempts_paypal')
      .on(table.providerRef)
      .where(sql`${table.gateway} = 'paypal'`),
  ],
);

/**
 * Rows of earlier versions that identify their customer without the signing secret: an unencrypted buyer, or a hash
 * without a key.
 */
export function isUnprotectedAttempt({ buyer, requestHash }: Record<'buyer' | 'requestHash', SQLWrapper>): SQL {
  return sql`(${buyer} is not null or length(${requestHash}) = 64)`;
}

/** Boletos that are neither paid nor expired, and of which no reminder was sent. */
export function awaitsSlipReminder({
  state,
  next,
  slipMails,
}: Record<'state' | 'next' | 'slipMails', SQLWrapper>): SQL {
  return sql`(${state} = 'PENDING' and ${next}->>'type' = 'ticket' and ${slipMails} < 2)`;
}

/** The longest wait before the next status query of a payment: 10 minutes. */
const longestWaitMs = sql.raw('600000');

/** Ten years: attempts with an unknown outcome sort before all that wait for their payer. */
const firstByMs = sql.raw('315360000000');

/**
 * When the provider is next queried about a live attempt, in epoch milliseconds: at once where the outcome is unknown,
 * less often as a pending attempt grows older, and at its expiry. The quiet time before a query is added by the caller.
 * Null for attempts that have ended.
 */
export function nextCheckAt(attempt: Record<'state' | 'createdAt' | 'updatedAt' | 'expiresAt', SQLWrapper>): SQL {
  const { state, createdAt, updatedAt, expiresAt } = attempt;
  return sql`(case ${state} when 'INTENT' then ${updatedAt} - ${firstByMs}
    when 'PENDING' then least(${updatedAt} + least(${longestWaitMs}, (${updatedAt} - ${createdAt}) / 8), ${expiresAt}) end)`;
}
