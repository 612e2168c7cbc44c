import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { users } from './users.ts';

/** Cards that customers have saved: tokens of a gateway, with what their owner recognises them by. */
export const savedCards = pgTable(
  'saved_cards',
  {
    cardId: text('card_id').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    gateway: text().notNull(),
    methodCode: text('method_code').notNull(),
    /** names the card at its gateway; no use to anyone without the shop's own key there */
    token: text().notNull(),
    cardBrand: text('card_brand').notNull(),
    last4: text().notNull(),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    codeDigits: integer('code_digits').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [uniqueIndex('saved_cards_owner').on(table.brand, table.uid, table.gateway, table.token)],
);

/** Who pays, so that nobody types it twice ([Note: Kept payer] in the contract); nothing of a card. */
export const savedPayers = pgTable(
  'kept_payers',
  {
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    /** JSON under a key that this database does not hold (cards/payer.ts) */
    sealed: text().notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.uid] })],
);

/** Cards of accounts that are gone, until their gateways have forgotten them; of nobody, but for the gateway. */
export const cardsToForget = pgTable(
  'cards_to_forget',
  {
    /** of gateway and token, so that a card is here once */
    id: text().primaryKey(),
    gateway: text().notNull(),
    token: text().notNull(),
    nextTryAt: instant('next_try_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('cards_to_forget_due').on(table.nextTryAt)],
);
