import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/**
 * The common type of both drivers and of a transaction. Read rows from `select` or `returning`, because the result of a
 * plain write differs between the drivers.
 */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface OpenedDatabase {
  readonly db: Database;
  /** closes the connections and unlocks the folder */
  close(): Promise<void>;
}
