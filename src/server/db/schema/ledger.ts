import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, minorUnits } from './columns.ts';
import { orders } from './orders.ts';

/** The books: money that moved, once per provider event. Incoming is positive, outgoing negative. */
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
     * `return`: a chargeback that the shop won. `part 2`: the second partial refund of the payment; each has a kind of
     * its own, because processes of the previous version book by attempt and kind.
     */
    kind: text().$type<'capture' | 'refund' | 'chargeback' | 'return' | PartKind>().notNull(),
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    at: instant('at').notNull(),
    /**
     * When the next refund of this capture is tried, because its order was already paid or a refund was requested; null
     * when none is due. A process of an earlier version does not set it: 0, and the job determines it.
     */
    giveBackAt: instant('give_back_at').default(0),
    /** of a dispute: until when the provider accepts evidence, if it says so */
    respondBy: instant('respond_by'),
    /** of a refund by transfer: when staff recorded that they sent it */
    sentAt: instant('sent_at'),
    /** the date of its invoice or credit note while that waits for its number (billing/invoices); else null */
    invoiceAt: instant('invoice_at'),
  },
  (table) => [
    index('ledger_order').on(table.orderId),
    index('ledger_time').on(table.at),
    index('ledger_disputes')
      .on(table.brand, table.at)
      .where(sql`${table.kind} = 'chargeback'`),
    uniqueIndex('ledger_once').on(table.attemptId, table.kind),
    index('ledger_to_give_back')
      .on(table.giveBackAt)
      .where(sql`${table.kind} = 'capture' and ${table.giveBackAt} is not null`),
    index('ledger_to_invoice')
      .on(table.brand, table.invoiceAt, table.id)
      .where(sql`${table.invoiceAt} is not null`),
  ],
);

type PartKind = `part ${number}`;
export const partialRefundKind = (number: number): PartKind => `part ${number}`;

/**
 * A partial refund, stored when it is requested. The first of a payment has number 1; key and number identify it at the
 * provider, so that it is refunded once. Completed refunds are in the books.
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
    /** minor units; once it has succeeded, the booked amount */
    amount: minorUnits('amount').notNull(),
    currency: text().notNull(),
    /** ASKED: requested, or its outcome is unknown */
    state: text().$type<'ASKED' | 'SUCCEEDED' | 'REJECTED'>().notNull(),
    /** the remaining days end with it */
    endsAccess: boolean('ends_access').notNull().default(false),
    /** the provider's id of a refund that was made in the provider's own dashboard */
    providerRef: text('provider_ref'),
    /** why it was rejected, for the operator */
    why: text(),
    askedAt: instant('asked_at').notNull(),
    endedAt: instant('ended_at'),
    /** when the gateway is next called; null for refunds that have ended or were made at the provider */
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
    // searched by prefix, whatever the database's collation
    index('webhook_events_refunds')
      .on(table.gateway, table.eventId.op('text_pattern_ops'))
      .where(sql`${table.eventId} like 'refund %'`),
  ],
);

/**
 * Money that a provider reported for a payment that this shop does not have: made after the backup that was restored,
 * or by another shop with the same account. Nothing is derived from a row; an operator reviews it.
 */
export const strayNotices = pgTable(
  'stray_notices',
  {
    gateway: text().notNull(),
    eventId: text('event_id').notNull(),
    /** the provider's reference to a payment: the id of an attempt */
    key: text().notNull(),
    kind: text().$type<'charge' | 'chargeback' | 'refund'>().notNull(),
    /** the provider's id of the payment, where it has one */
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
