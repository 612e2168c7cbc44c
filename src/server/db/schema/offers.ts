import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Language } from '#contract/fields.ts';
import { instant } from './columns.ts';
import { brands } from './brands.ts';

/** Offers by mail, and how far each has been written to the outbox: whoever breaks off goes on from there. */
export const campaigns = pgTable(
  'campaigns',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    /** the operator's: the same name is the same offer, and nobody gets it twice */
    name: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** only to customers who are written to in this language; null for all */
    language: text().$type<Language>(),
    /** the uid up to which everybody has been looked at */
    reached: text().notNull().default(''),
    queued: integer().notNull().default(0),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (table) => [primaryKey({ columns: [table.brand, table.name] })],
);
