import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, minorUnits } from './columns.ts';
import { orders } from './orders.ts';

/** The books: money that moved, once per provider event. Positive in, negative out. */
export const ledger = pgTable(
  'ledger',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.orderId),
    attemptId: text('attempt_id').notNull(),
    /**
     * `return`: a chargeback that the shop has won. `part 2`: the second part of the payment that went back ([Note: Partial
     * refunds]), each a kind of its own, because processes of the version before book by attempt and kind.
     */
    kind: text().$type<'capture' | 'refund' | 'chargeback' | 'return' | PartKind>().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    at: instant('at').notNull(),
    /**
     * Of a capture that goes back, because its order had been paid before or the shop was asked to: when that is tried next. Null when nothing goes
     * back. A process of an earlier version does not say: 0, and the job looks whether it does.
     */
    giveBackAt: instant('give_back_at').default(0),
  },
  (table) => [
    index('ledger_order').on(table.orderId),
    index('ledger_time').on(table.at),
    uniqueIndex('ledger_once').on(table.attemptId, table.kind),
    index('ledger_to_give_back')
      .on(table.giveBackAt)
      .where(sql`${table.kind} = 'capture' and ${table.giveBackAt} is not null`),
  ],
);

type PartKind = `part ${number}`;
export const partKind = (number: number): PartKind => `part ${number}`;

/**
 * [Note: Partial refunds] A part of a payment that goes back, from when it is asked for. The first of a payment has number
 * 1; key and number are its name at the provider, under which it is given once. What has been given is in the books.
 */
export const refunds = pgTable(
  'refunds',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    orderId: text('order_id')
      .notNull()
      .references(() => orders.orderId),
    attemptId: text('attempt_id').notNull(),
    number: integer().notNull(),
    /** minor units; of one that has succeeded, what was booked */
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    /** ASKED: on its way, or its outcome is unknown */
    state: text().$type<'ASKED' | 'SUCCEEDED' | 'REJECTED'>().notNull(),
    /** the days that are left end with it */
    endsAccess: boolean('ends_access').notNull().default(false),
    /** of one that was given at the provider's own desk: its name there */
    providerRef: text('provider_ref'),
    /** why it was rejected, for the operator */
    why: text(),
    askedAt: instant('asked_at').notNull(),
    endedAt: instant('ended_at'),
    /** when the shop asks its gateway again; null for what has ended or is the provider's own */
    nextTryAt: instant('next_try_at'),
  },
  (table) => [
    uniqueIndex('refunds_number').on(table.attemptId, table.number),
    uniqueIndex('refunds_provider_ref')
      .on(table.attemptId, table.providerRef)
      .where(sql`${table.providerRef} is not null`),
    index('refunds_order').on(table.orderId),
    index('refunds_to_ask')
      .on(table.nextTryAt)
      .where(sql`${table.nextTryAt} is not null`),
  ],
);

/** Every signed notice of a provider, once. */
export const webhookEvents = pgTable(
  'webhook_events',
  { gateway: text().notNull(), eventId: text('event_id').notNull(), receivedAt: instant('received_at').notNull() },
  (table) => [
    primaryKey({ columns: [table.gateway, table.eventId] }),
    index('webhook_events_time').on(table.receivedAt),
    // found by their beginning, whatever the database's collation
    index('webhook_events_refunds')
      .on(table.gateway, table.eventId.op('text_pattern_ops'))
      .where(sql`${table.eventId} like 'refund %'`),
  ],
);

/**
 * Money that a provider has told of and that this shop has no payment for: made after the backup that it was restored
 * from, or by another shop with the same account there. Nothing follows from a row; an operator looks at it.
 */
export const strayNotices = pgTable(
  'stray_notices',
  {
    gateway: text().notNull(),
    eventId: text('event_id').notNull(),
    /** what the provider says the payment is of: the id of an attempt */
    key: text().notNull(),
    kind: text().$type<'charge' | 'chargeback' | 'refund'>().notNull(),
    /** as the provider names them, where it does */
    providerRef: text('provider_ref'),
    amount: minorUnits('amount'),
    currency: text(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gateway, table.eventId] }),
    index('stray_notices_time').on(table.receivedAt),
  ],
);
