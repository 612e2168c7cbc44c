import { mkdirSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import type { Logger } from '#server/runtime/log.ts';
import { type Contents, migratePg, migratePglite, productionContents } from './migrate.ts';
import type { Database, OpenedDatabase } from './connect.ts';
import { addressOf, DatabaseUnusable, ReadOnlyServer, describeDatabaseError } from './choose-server.ts';
import { sqlStateOf } from './driver-results.ts';
import { lockFolder } from './lock.ts';
import { connectForMigrations, openPool, type PoolOptions } from './open-pool.ts';
import { openFolder, openInMemory } from './prebuilt.ts';

export interface EmbeddedDatabase extends OpenedDatabase {
  readonly client: PGlite;
}

/**
 * Opens PGlite in a folder that this process locks, migrated and filled: the database of a demo. Throws
 * `DataFolderInUse`.
 */
export async function openEmbedded(
  folder: string,
  { contents = productionContents }: { readonly contents?: Contents } = {},
): Promise<EmbeddedDatabase> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  try {
    const place = join(folder, 'pgdata');
    assertFolderVersion(place);
    const client = await openFolder(place, contents);
    const db = drizzlePglite({ client });
    await contents.accepts?.(db);
    await migratePglite(db, contents.migrations);
    await contents.fill(db);
    return { db, client, close: () => client.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

interface PostgresOptions extends PoolOptions {
  readonly contents?: Contents;
}

/** Opens a pool on PostgreSQL, migrated and filled; several processes may do so at once. */
export async function openPostgres(
  url: string,
  log: Logger,
  { contents = productionContents, ...options }: PostgresOptions = {},
): Promise<OpenedDatabase> {
  const locking = await connectForMigrations(url);
  const client = await connectForMigrations(url).catch(async (error: unknown): Promise<never> => {
    await locking.end();
    throw error;
  });
  await migratePg(client, locking, contents).catch((error: unknown) => throwIfNotAllowed(error, url));
  return openMigrated(url, log, options);
}

/** The same for a database that another process has migrated and filled. */
export function openMigrated(url: string, log: Logger, options: PoolOptions = {}): OpenedDatabase {
  const pool = openPool(url, log, options);
  return { db: overPool(pool), close: () => pool.end() };
}

/**
 * Drizzle over a pool that gets its connection back after every transaction. Drizzle's own transaction leaks the
 * connection if `begin` fails (node-postgres/session.js of 0.45.4): after a server is lost, ten of those exhaust the
 * pool.
 */
function overPool(pool: Pool): Database {
  const db = drizzlePg({ client: pool });
  const transaction: typeof db.transaction = async (act, config) => {
    const client = await pool.connect();
    try {
      return await drizzlePg({ client }).transaction(act, config);
    } finally {
      client.release();
    }
  };
  return Object.assign(db, { transaction });
}

/** Creating tables fails for a user without the privilege, and on a read-only server. */
function throwIfNotAllowed(error: unknown, url: string): never {
  const code = sqlStateOf(error);
  if (code !== '42501' && code !== '25006') throw error;
  const address = addressOf(url);
  const reason = code === '25006' ? new ReadOnlyServer() : Object.assign(new Error(code), { code });
  throw new DatabaseUnusable(describeDatabaseError(reason, { ...address, name: address.targets[0].name }), error);
}

/** A new database in memory, migrated and filled: one per test. */
export async function openMemory(contents: Contents): Promise<EmbeddedDatabase> {
  const client = await openInMemory(contents);
  return { db: drizzlePglite({ client }), client, close: () => client.close() };
}

/** The major version of PostgreSQL in PGlite; only the same version can read a data folder. */
export const embeddedMajor = '18';

/** The files were written by another major version of PostgreSQL, or are not a database. */
export class FolderVersionMismatch extends Error {
  constructor(folder: string, version: string) {
    const written = /^\d+$/.test(version) ? `was written by PostgreSQL ${version}` : 'is no database of PostgreSQL';
    super(
      `${folder} ${written}, and this version of the shop reads PostgreSQL ${embeddedMajor} alone; start the version of the shop ` +
        'that wrote it, or set DATA_DIR to another folder, in which a new database is made',
    );
    this.name = 'OtherFolderVersion';
  }
}

/** Throws `FolderVersionMismatch` for a folder that would crash PGlite; a folder that does not exist yet is accepted. */
function assertFolderVersion(folder: string): void {
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) return;
  const version = readFileSync(file, 'utf8').trim();
  if (version !== embeddedMajor) throw new FolderVersionMismatch(folder, version);
}
