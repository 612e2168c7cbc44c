import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Logger } from '#server/runtime/log.ts';
import { bare, type Contents } from './contents.ts';
import { copyFiles } from './copy-files.ts';
import { roomIn, writeWithRoom } from './disk-room.ts';
import { DatabaseUnusable, ReadOnlyServer, sentenceOf } from './database-problem.ts';
import { addressOf } from './choose-server.ts';
import { sqlStateOf } from './driver-results.ts';
import { assertFolderVersion } from './folder-version.ts';
import { lockFolder } from './lock.ts';
import { migratePg, migratePglite } from './migrate.ts';
import { connectForMigrations, openPool, type PoolOptions } from './open-pool.ts';
import { openFolder, openInMemory } from './prebuilt.ts';
import { finishRestore } from './restore-folder.ts';
import { keepStatements } from './prepared-statements.ts';

/**
 * What both drivers have in common; a transaction is one too. Take rows from `select` or `returning`, because the
 * bare result of a write differs between the drivers.
 */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface OpenedDatabase {
  readonly db: Database;
  readonly kind: 'embedded' | 'postgresql';
  /** everything that an embedded database holds at this moment, as the parts of a tar of its files */
  readonly dump?: () => Promise<readonly Uint8Array[]>;
  /** closes the connections and lets go of the folder */
  close(): Promise<void>;
}

interface EmbeddedOptions {
  readonly contents?: Contents;
  readonly assertRoom?: () => void;
}

/**
 * Opens PGlite in a folder that this process alone holds, migrated and filled. Throws `DataFolderInUse`, and `DiskFull` where
 * there is no room to begin ([Note: Full disk]).
 */
export async function openEmbedded(
  folder: string,
  { contents = bare, assertRoom = roomIn(folder) }: EmbeddedOptions = {},
): Promise<OpenedDatabase> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertRoom();
  const unlock = lockFolder(folder);
  try {
    finishRestore(folder);
    const place = join(folder, 'pgdata');
    assertFolderVersion(place);
    const client = await openFolder(place, contents);
    const db = drizzlePglite({ client });
    await contents.accepts?.(db);
    await migratePglite(db, contents.migrations);
    await contents.fill(db);
    keepStatements(client);
    writeWithRoom(client, assertRoom);
    const close = () => client.close().finally(unlock);
    return { db, kind: 'embedded', dump: () => copyFiles(client, place), close };
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
  { contents = bare, ...options }: PostgresOptions = {},
): Promise<OpenedDatabase> {
  const locking = await connectForMigrations(url);
  const client = await connectForMigrations(url).catch(async (error: unknown): Promise<never> => {
    await locking.end();
    throw error;
  });
  await migratePg(client, locking, contents).catch((error: unknown) => throwIfNotAllowed(error, url));
  const pool = openPool(url, log, options);
  return { db: overPool(pool), kind: 'postgresql', close: () => pool.end() };
}

/**
 * Drizzle over a pool, which gets its connection back from every transaction. Drizzle's own transaction keeps one whose
 * `begin` fails (node-postgres/session.js of 0.45.4): ten of those, as when a server is lost, are the whole pool.
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

/** Creating tables fails where the user may not create them, or where the server only reads. */
function throwIfNotAllowed(error: unknown, url: string): never {
  const code = sqlStateOf(error);
  if (code !== '42501' && code !== '25006') throw error;
  const address = addressOf(url);
  const reason = code === '25006' ? new ReadOnlyServer() : Object.assign(new Error(code), { code });
  throw new DatabaseUnusable(sentenceOf(reason, { ...address, name: address.targets[0].name }), error);
}

/** A fresh database in memory, migrated and filled: one per test. */
export async function openMemory(contents: Contents): Promise<OpenedDatabase & { client: PGlite }> {
  const client = await openInMemory(contents);
  keepStatements(client);
  return { db: drizzlePglite({ client }), kind: 'embedded', client, close: () => client.close() };
}
