import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/**
 * What both drivers have in common; a transaction is one too. Take rows from `select` or `returning`, because the
 * bare result of a write differs between the drivers.
 */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface OpenedDatabase {
  readonly db: Database;
  /** closes the connections and lets go of the folder */
  close(): Promise<void>;
}
