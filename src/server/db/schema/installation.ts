import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** What all processes of a shop have in common. One row. */
export const installation = pgTable(
  'installation',
  {
    id: integer().primaryKey(),
    /** HMAC of a constant by `SIGNING_SECRET`: tells another secret without telling anything about this one */
    signingCheck: text('signing_check').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [check('installation_one_row', sql`${table.id} = 1`)],
);
