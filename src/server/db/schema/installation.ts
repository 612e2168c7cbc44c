import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** State that all processes of a shop share. One row. */
export const installation = pgTable(
  'installation',
  {
    id: integer().primaryKey(),
    /** HMAC of a constant with `SIGNING_SECRET`: detects another secret without revealing this one */
    signingCheck: text('signing_check').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [check('installation_one_row', sql`${table.id} = 1`)],
);
