import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { users, sessions } from './users.ts';

/**
 * Browsers that are told by push ([Note: Push] in the contract). The session's own key is the reference, so that there is
 * no way to end a session and to go on telling its browser.
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
    /** the browser's public key and its secret, base64url: what is sent can be read by that browser alone */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** the key of ours that the browser subscribed with: nobody else can send to it, and nor can another key of ours */
    vapidKey: text('vapid_key').notNull(),
    language: text().$type<Language>().notNull(),
    /** as in `loginRecords` */
    device: text().notNull(),
    model: text().notNull(),
    createdAt: instant('created_at').notNull(),
    /** when it is looked next whether the access ends soon; null where nobody asked to be reminded */
    remindAt: instant('remind_at'),
    /** the last reminder: of which end, and how many days before (push/reminder.ts) */
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

/** Orders that a browser is told of when they are paid; the row goes when that has happened. */
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
    /** when it is looked next whether the order was paid unheard (jobs/watch-payments.ts) */
    lookAt: instant('look_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.subscriptionId] }),
    index('push_watches_subscription').on(table.subscriptionId, table.createdAt),
    index('push_watches_look').on(table.lookAt),
  ],
);

/** Messages that are to be sent; what was sent is gone, so that the table holds nothing but what waits. */
export const pushMessages = pgTable(
  'push_messages',
  {
    /** made of the subscription and of what has happened, so that nothing is told twice */
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
    /** nobody wants to hear it later than that */
    expiresAt: instant('expires_at').notNull(),
    tries: integer().notNull().default(0),
    nextTryAt: instant('next_try_at').notNull(),
  },
  (table) => [
    index('push_messages_due').on(table.nextTryAt),
    index('push_messages_subscription').on(table.subscriptionId),
  ],
);
