import type { Database } from './connect.ts';

/** A set of migrations, and the table that records which of them a database has run. */
export interface Migrations {
  readonly folder: string;
  readonly journal: string;
}

/** What a database is opened with. */
export interface Contents {
  readonly name: string;
  /** of tables that are not the shop's own */
  readonly migrations: readonly Migrations[];
  /** folders that `fill` reads: a cached database is rebuilt when one of their files changes */
  readonly sources: readonly string[];
  /** checks a database before anything is written, and throws where it belongs to another shop */
  readonly accepts?: (db: Database) => Promise<void>;
  /** writes the initial rows of a new database; existing rows stay unchanged */
  readonly fill: (db: Database) => Promise<void>;
}

/** Contents for production: the shop's own tables, without a brand. */
export const bare: Contents = { name: 'bare', migrations: [], sources: [], fill: () => Promise.resolve() };
