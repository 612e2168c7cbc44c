import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, text } from 'drizzle-orm/pg-core';
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

/** The running processes, for the doctor. The instants are by the clock of the database. */
export const processes = pgTable('processes', {
  id: text().primaryKey(),
  /** the same HMAC as in `installation`, of this process */
  signingCheck: text('signing_check').notNull(),
  startedAt: instant('started_at').notNull(),
  /** renewed every half minute */
  seenAt: instant('seen_at').notNull(),
  /** milliseconds by which its clock is ahead of that of the database */
  aheadMs: bigint('ahead_ms', { mode: 'number' }).notNull(),
});
