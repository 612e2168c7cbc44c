import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Logger } from '../log.ts';
import { roomIn, writeWithRoom } from './disk-room.ts';
import { lockFolder } from './lock.ts';
import { migratePg, migratePglite } from './migrate.ts';
import { connectForMigrations, openPool, type PoolOptions } from './open-pool.ts';
import { openFolder, openInMemory } from './prebuilt.ts';
import { keepStatements } from './prepared-statements.ts';
import { seed } from './seed.ts';

/**
 * What both drivers have in common; a transaction is one too. Take rows from `select` or `returning`, because the
 * bare result of a write differs between the drivers.
 */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface OpenedDatabase {
  readonly db: Database;
  readonly kind: 'embedded' | 'postgresql';
  /** closes the connections and lets go of the folder */
  close(): Promise<void>;
}

/** Writes what a fresh database begins with. */
export type Fill = (db: Database) => Promise<void>;

/** A shop that is no demonstration begins without a brand. */
export const leaveEmpty: Fill = () => Promise.resolve();

interface EmbeddedOptions {
  readonly fill?: Fill;
  readonly assertRoom?: () => void;
}

/**
 * Opens PGlite in a folder that this process alone holds, migrated and filled. Throws `FolderInUse`, and `DiskFull` where
 * there is no room to begin ([Note: Full disk]).
 */
export async function openEmbedded(
  folder: string,
  { fill = seed, assertRoom = roomIn(folder) }: EmbeddedOptions = {},
): Promise<OpenedDatabase> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertRoom();
  const unlock = lockFolder(folder);
  try {
    const client = await openFolder(join(folder, 'pgdata'));
    const db = drizzlePglite({ client });
    await migratePglite(db);
    await fill(db);
    keepStatements(client);
    writeWithRoom(client, assertRoom);
    return { db, kind: 'embedded', close: () => client.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

interface PostgresOptions extends PoolOptions {
  readonly fill?: Fill;
}

/** Opens a pool on PostgreSQL, migrated and filled; several processes may do so at once. */
export async function openPostgres(
  url: string,
  log: Logger,
  { fill = seed, ...options }: PostgresOptions = {},
): Promise<OpenedDatabase> {
  await migratePg(await connectForMigrations(url), fill);
  const pool = openPool(url, log, options);
  return { db: drizzlePg({ client: pool }), kind: 'postgresql', close: () => pool.end() };
}

/** A fresh database in memory, migrated and seeded: one per test. */
export async function openTestDatabase(): Promise<OpenedDatabase & { client: PGlite }> {
  const client = await openInMemory();
  keepStatements(client);
  return { db: drizzlePglite({ client }), kind: 'embedded', client, close: () => client.close() };
}
