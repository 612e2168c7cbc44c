import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { brands } from './brands.ts';

/** Offers by mail, and how far each was queued: an interrupted run continues there. */
export const campaigns = pgTable(
  'campaigns',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    /** chosen by the operator: the same name is the same offer, and no customer receives it twice */
    name: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** only for customers with this language; null for all */
    language: text().$type<Language>(),
    /** customers up to this uid have been processed */
    reached: text().notNull().default(''),
    queued: integer().notNull().default(0),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [primaryKey({ columns: [table.brand, table.name] })],
);
