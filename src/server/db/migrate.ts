import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyPg } from 'drizzle-orm/node-postgres/migrator';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { migrate as applyPglite } from 'drizzle-orm/pglite/migrator';
import type pg from 'pg';
import { type Database, statementRows } from './connect.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
const ofShop: Migrations = { folder: migrationsFolder, journal: '__drizzle_migrations' };

/** The shop's own first: one of them may move tables to another set. */
const configsOf = (others: readonly Migrations[]) =>
  [ofShop, ...others].map(({ folder, journal }) => ({ migrationsFolder: folder, migrationsTable: journal }));

/** An arbitrary number that no other application on the same database uses for a lock. */
const migrationLock = 7_203_114;

export async function migratePglite(db: PgliteDatabase, others: readonly Migrations[]): Promise<void> {
  for (const config of configsOf(others)) await applyPglite(db, config);
}

/**
 * Migrates and fills under a lock, so that many processes can start at once, and closes the connections. Returns
 * `newerMigrations`: where there are any, Drizzle runs none of this version's.
 * The lock belongs to a transaction on a connection of its own: a pooler such as PgBouncer assigns a server connection
 * per transaction, so a session lock would pass to another client. For the same reason there are no named statements
 * and no LISTEN, and settings are set within transactions only.
 */
export async function migratePg(
  client: pg.Client,
  locking: pg.Client,
  { migrations, fill, accepts }: Contents,
): Promise<readonly string[]> {
  try {
    await locking.query('begin');
    await locking.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    const db = drizzle({ client });
    await accepts?.(db);
    for (const config of configsOf(migrations)) await applyPg(db, config);
    await fill(db);
    return await newerMigrations(db);
  } finally {
    // closing the connection releases the lock, whatever its state
    await Promise.all([client.end(), locking.end()]);
  }
}

/**
 * How many of the shop's own migrations a database still needs, and how many it has run that this version does not
 * know. Drizzle runs those dated after the last one that ran.
 */
export async function countPendingMigrations(db: Database): Promise<{ waiting: number; newer: number }> {
  const known = knownMigrations();
  const ran = await ranMigrations(db);
  const last = Math.max(0, ...ran);
  return { waiting: known.filter((at) => at > last).length, newer: (await newerMigrations(db)).length };
}

/**
 * The days on which the migrations were written that a newer version has run here, such as `2026-11-29`, in their
 * order. Their names are unknown: a database stores a hash and the time.
 */
export async function newerMigrations(db: Database): Promise<readonly string[]> {
  const newest = Math.max(...knownMigrations());
  const newer = (await ranMigrations(db)).filter((at) => at > newest).sort((one, other) => one - other);
  return newer.map((at) => new Date(at).toISOString().slice(0, 10));
}

/** What a database of a newer version means, in a sentence for an operator; `days` as `newerMigrations` returns them. */
export const describeNewer = (days: readonly string[]): string =>
  `a newer version of the shop has been here: ${days.length} of its migrations ${days.length === 1 ? 'is' : 'are'} ` +
  `unknown to this one (of ${[...new Set(days)].join(', ')}); this one works only if it is the version directly before; ` +
  'start the newer version, or read upgrade-and-rollback.md';

const knownMigrations = () => readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);

/** When the migrations were written that have run, in epoch milliseconds; empty for a new database. */
async function ranMigrations(db: Database): Promise<readonly number[]> {
  const [journal] = await statementRows(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`,
  );
  if (journal?.['is_there'] !== true) return [];
  const rows = await statementRows(db, sql`select created_at from drizzle.__drizzle_migrations`);
  return rows.map((row) => Number(row['created_at']));
}

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
export const productionContents: Contents = {
  name: 'bare',
  migrations: [],
  sources: [],
  fill: () => Promise.resolve(),
};
