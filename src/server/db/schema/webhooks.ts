import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** What a brand's own systems can be told (docs/webhooks.md). A name is never removed or renamed. */
export const webhookEventTypes = [
  'order.paid',
  'order.refunded',
  'order.disputed',
  'order.dispute_closed',
  'renewal.charged',
  'renewal.turned_off',
  'renewal.ended',
  'account.deleted',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** A delivery is given up after this many attempts. */
export const maxWebhookTries = 10;

/** Outgoing webhooks: one row for each event and address, written in the transaction of the change. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** the same at every address of the brand and at every attempt: `webhook-id` */
    eventId: text('event_id').notNull(),
    url: text().notNull(),
    brand: text().notNull(),
    type: text().notNull(),
    body: text().notNull(),
    /** events of one moment are sent in this order */
    position: bigint({ mode: 'number' }).generatedByDefaultAsIdentity(),
    createdAt: instant('created_at').notNull(),
    nextTryAt: instant('next_try_at').notNull(),
    tries: integer().notNull().default(0),
    /** when it was accepted */
    sentAt: instant('sent_at'),
    /** how the last attempt ended, such as `HTTP 503` or `timeout` */
    lastAnswer: text('last_answer'),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.url] }),
    // the last column is for the metric of the oldest one
    index('webhook_deliveries_due')
      .on(table.brand, table.url, table.nextTryAt, table.position, table.createdAt)
      .where(isWaitingDelivery(table)),
    index('webhook_deliveries_age').on(table.brand, table.createdAt),
    index('webhook_deliveries_created').on(table.createdAt),
  ],
);

export function isWaitingDelivery({ sentAt, tries }: Record<'sentAt' | 'tries', SQLWrapper>): SQL {
  return sql`${sentAt} is null and ${tries} < ${sql.raw(String(maxWebhookTries))}`;
}

/** Providers that do not answer at present, as seen by any process (jobs/watch-providers.ts). */
export const providerOutages = pgTable('provider_outages', {
  provider: text().primaryKey(),
  since: instant('since').notNull(),
  /** operators were told, so they are told when it ends */
  told: boolean().notNull(),
});
