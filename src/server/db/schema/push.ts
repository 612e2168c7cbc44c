import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { users, sessions } from './users.ts';

/**
 * Push subscriptions ([Note: Push] in the contract). The foreign key to the session ensures that a session's end also
 * ends its notifications.
 */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    sessionHash: text('session_hash')
      .notNull()
      .references(() => sessions.tokenHash, { onDelete: 'cascade' }),
    endpoint: text().notNull(),
    /** the browser's public key and its secret, base64url: only that browser can decrypt a message */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** the VAPID public key that the browser subscribed with: only its private key can send to the subscription */
    vapidKey: text('vapid_key').notNull(),
    language: text().$type<Language>().notNull(),
    /** as in `loginRecords` */
    device: text().notNull(),
    model: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** when to check next whether access ends soon; null where reminders are off */
    remindAt: instant('remind_at'),
    /** the last reminder: for which end, and how many days before (push/write-push.ts) */
    remindedEnd: instant('reminded_end'),
    remindedDays: integer('reminded_days'),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.brand, table.endpoint),
    index('push_subscriptions_user').on(table.brand, table.uid, table.createdAt),
    index('push_subscriptions_session').on(table.sessionHash),
    index('push_subscriptions_remind')
      .on(table.remindAt)
      .where(sql`${table.remindAt} is not null`),
  ],
);

/** Orders whose payment is reported to a browser; the row is deleted then. */
export const pushWatches = pgTable(
  'push_watches',
  {
    orderId: text('order_id').notNull(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    brand: text().notNull(),
    uid: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** when to check next whether the order was paid without a notification (jobs/watch-payments.ts) */
    lookAt: instant('look_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.subscriptionId] }),
    index('push_watches_subscription').on(table.subscriptionId, table.createdAt),
    index('push_watches_look').on(table.lookAt),
  ],
);

/** Queued push messages; sent ones are deleted. */
export const pushMessages = pgTable(
  'push_messages',
  {
    /** derived from subscription and event, so that no event is reported twice */
    id: text().primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    brand: text().notNull(),
    uid: text().notNull(),
    kind: text().$type<'paid' | 'ends'>().notNull(),
    /** of `paid` */
    orderId: text('order_id'),
    /** of `ends`: when the access ends */
    endsAt: instant('ends_at'),
    createdAt: instant('created_at').notNull(),
    /** useless after that */
    expiresAt: instant('expires_at').notNull(),
    tries: integer().notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
  },
  (table) => [
    index('push_messages_due').on(table.nextTryAt),
    index('push_messages_subscription').on(table.subscriptionId),
  ],
);
