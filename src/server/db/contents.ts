import type { Database } from './connect.ts';

/** Migrations of some tables, and the table that tells which of them a database has had. */
export interface Migrations {
  readonly folder: string;
  readonly journal: string;
}

/** What a database is opened with. */
export interface Contents {
  readonly name: string;
  /** of tables that are not the shop's own */
  readonly migrations: readonly Migrations[];
  /** folders that `fill` reads: what is kept of it is made again when a file of theirs changes */
  readonly sources: readonly string[];
  /** looks at a database before anything is done to it, and throws where it is another's */
  readonly accepts?: (db: Database) => Promise<void>;
  /** writes what a fresh database begins with; what is there already stays as it is */
  readonly fill: (db: Database) => Promise<void>;
}

/** A shop that is no demonstration: the shop's own tables, without a brand. */
export const bare: Contents = { name: 'bare', migrations: [], sources: [], fill: () => Promise.resolve() };
