import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { users } from './users.ts';

/** Saved cards: tokens of a gateway, with the details by which customers recognise their card. */
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
    /** identifies the card at its gateway; useless without the shop's API key there */
    token: text().notNull(),
    cardBrand: text('card_brand').notNull(),
    /** empty for an account */
    last4: text().notNull(),
    /** the masked name of an account that is charged like a card; null for a card */
    account: text(),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    codeDigits: integer('code_digits').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [
    uniqueIndex('saved_cards_owner').on(table.brand, table.uid, table.gateway, table.token),
    index('saved_cards_last4').on(table.brand, table.last4),
    index('saved_cards_paypal')
      .on(table.token)
      .where(sql`${table.gateway} = 'paypal'`),
  ],
);

/** The last payer's details, to prefill the next checkout ([Note: Kept payer] in the contract); no card data. */
export const savedPayers = pgTable(
  'kept_payers',
  {
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    /** JSON encrypted with a key that is not in this database (cards/payer.ts) */
    sealed: text().notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.brand, table.uid] })],
);

/** The words of the names that payers typed, for a search by a name; no name can be read from them. */
export const payerNames = pgTable(
  'payer_names',
  {
    brand: text().notNull(),
    /** keyed hash of one word (billing/payer-names.ts) */
    word: text().notNull(),
    uid: text()
      .notNull()
      // the previous version, which may run for one deploy, deletes accounts without knowing this table
      .references(() => users.uid, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.brand, table.word, table.uid] }),
    index('payer_names_customer').on(table.brand, table.uid),
  ],
);

/** Cards of deleted accounts, until their gateways have deleted them; they refer to no customer. */
export const cardsToForget = pgTable(
  'cards_to_forget',
  {
    /** derived from gateway and token, so that a card is queued once */
    id: text().primaryKey(),
    gateway: text().notNull(),
    token: text().notNull(),
    nextTryAt: instant('next_try_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('cards_to_forget_due').on(table.nextTryAt)],
);
