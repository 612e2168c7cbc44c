import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { HandoverPurchase } from '#contract/handover.ts';
import { instant } from './columns.ts';
import { users } from './users.ts';

/** Checkouts that a TV hands to a phone ([Note: Hand-over]): one for each session that has opened one. */
export const checkoutHandovers = pgTable(
  'checkout_handovers',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    /** SHA-256 of the token of the session that opened it, hex */
    sessionHash: text('session_hash').notNull(),
    /** SHA-256 of the user code without its dash, hex */
    userCodeHash: text('user_code_hash').notNull(),
    /** the TV's name from our own list; empty where it is unknown */
    device: text().notNull(),
    model: text().notNull(),
    purchase: jsonb().$type<HandoverPurchase>().notNull(),
    state: text().$type<'waiting' | 'opened' | 'refused'>().notNull(),
    createdAt: instant('created_at').notNull(),
    /** of the user code */
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('checkout_handovers_user_code').on(table.brand, table.userCodeHash),
    uniqueIndex('checkout_handovers_session').on(table.brand, table.sessionHash),
    index('checkout_handovers_user').on(table.brand, table.uid),
    index('checkout_handovers_end').on(table.expiresAt),
  ],
);
