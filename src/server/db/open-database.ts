import { mkdirSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import type { Logger } from '#server/runtime/log.ts';
import { type Contents, describeNewer, migratePg, migratePglite, productionContents } from './migrate.ts';
import {
  DatabaseUnusable,
  ReadOnlyServer,
  SilentDatabase,
  sqlStateOf,
  type Database,
  type OpenedDatabase,
} from './connect.ts';
import { addressOf, clientOf, describeDatabaseError } from './choose-server.ts';
import { lockFolder } from './lock.ts';
import { openFolder, openInMemory } from './prebuilt.ts';
import type { Socket } from 'node:net';
import pg from 'pg';
import { sql } from 'drizzle-orm';
import type { DatabaseAddress } from './database-url.ts';

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
  const newer = await migratePg(client, locking, contents).catch((error: unknown) => throwIfNotAllowed(error, url));
  if (newer.length > 0) log.warn({ migrations: newer }, describeNewer(newer));
  const opened = openMigrated(url, log, options);
  // a pooler may accept the connections of migrations, and refuse those with time limits
  await opened.db.execute(sql`select 1`).catch(async (error: unknown): Promise<never> => {
    await opened.close();
    throw unusable(error instanceof Error ? (error.cause ?? error) : error, addressOf(url));
  });
  return opened;
}

/** The same for a database that another process has migrated and filled. */
export function openMigrated(url: string, log: Logger, options: PoolOptions = {}): OpenedDatabase {
  const pool = openPool(url, log, options);
  return {
    db: overPool(pool),
    connections: () => ({ active: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
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
    let isReadOnly = false;
    try {
      return await drizzlePg({ client }).transaction(act, config);
    } catch (error) {
      isReadOnly = sqlStateOf(error) === readOnlyState || error instanceof ReadOnlyServer;
      throw error;
    } finally {
      // a connection can stay read-only after its database is writable again, or after another one has become primary
      client.release(isReadOnly);
    }
  };
  return Object.assign(db, { transaction });
}

/** `read_only_sql_transaction` (PostgreSQL, appendix A). */
const readOnlyState = '25006';

/** Creating tables fails for a user without the privilege, and on a read-only server. */
function throwIfNotAllowed(error: unknown, url: string): never {
  const code = sqlStateOf(error);
  if (code !== '42501' && code !== readOnlyState) throw error;
  throw unusable(
    code === readOnlyState ? new ReadOnlyServer() : Object.assign(new Error(code), { code }),
    addressOf(url),
  );
}

function unusable(error: unknown, address: DatabaseAddress): DatabaseUnusable {
  return new DatabaseUnusable(describeDatabaseError(error, { ...address, name: address.targets[0].name }), error);
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

/**
 * A database can accept a connection and never respond: behind a firewall that dropped its state, or on a host that
 * hangs. So every wait has a limit, in milliseconds. The server ends a slow statement itself; a silent connection is
 * dropped a little later. The request is then refused with `serviceBusy` after at most 15 s, which is two waits for a
 * connection and a response. What was committed stays committed; the client retries with the same idempotency key.
 */
const limits = { connect: 3000, lock: 3000, statement: 4000, silence: 4500, idleInTransaction: 10_000 } as const;

const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** What every connection of a pool asks of PostgreSQL, in milliseconds. A pooler may drop it; the role has it then. */
export const timeLimits = {
  statement_timeout: limits.statement,
  lock_timeout: limits.lock,
  idle_in_transaction_session_timeout: limits.idleInTransaction,
} as const;

export interface PoolOptions {
  /** statements without a time limit: for programs that fill a database, never for a shop */
  readonly withoutTimeout?: boolean;
}

const tellEveryMs = 60_000;

/** A pool whose connections and statements have time limits. */
function openPool(url: string, log: Logger, { withoutTimeout = false }: PoolOptions = {}): pg.Pool {
  const { Client, connectionString } = clientOf(addressOf(url));
  const connection = { connectionString, max: 10, connectionTimeoutMillis: limits.connect, ...keepAlive };
  const pool = new pg.Pool({ ...connection, Client, ...(withoutTimeout ? {} : timeLimits) });
  // a server that goes away ends all connections at once
  let isTold = false;
  pool.on('error', (error) => {
    log[isTold ? 'debug' : 'error']({ err: error }, 'an idle database connection failed');
    if (isTold) return;
    isTold = true;
    setTimeout(() => (isTold = false), tellEveryMs).unref();
  });
  pool.on('connect', (client) => {
    // the running query rejects, too; without a listener, a connection that breaks within a transaction would end the
    // process
    client.on('error', (error) => log.debug({ err: error }, 'a database connection failed while it was used'));
    const stream = streamOf(client);
    stream.on('timeout', () => stream.destroy(new SilentDatabase()));
  });
  pool.on('acquire', (client) => streamOf(client).setTimeout(withoutTimeout ? 0 : limits.silence));
  pool.on('release', (_error, client) => streamOf(client).setTimeout(0));
  return pool;
}

/** One connection for migrations, which have no time limit. Throws `DatabaseUnusable`, which says why. */
export const connectForMigrations = (url: string): Promise<pg.Client> => connectOnce(url, {});

/**
 * One connection for checks, which waits for each answer for `answerMs`. With `isLimited` it asks for the time limits,
 * as a pool does. Throws `DatabaseUnusable`.
 */
export const connectForChecks = (
  url: string,
  { answerMs, isLimited }: { readonly answerMs: number; readonly isLimited: boolean },
): Promise<pg.Client> => connectOnce(url, { query_timeout: answerMs, ...(isLimited && timeLimits) });

async function connectOnce(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const address = addressOf(url);
  try {
    const { Client, connectionString } = clientOf(address);
    const basic = { connectionString, connectionTimeoutMillis: limits.connect, ...keepAlive };
    const client = new Client({ ...basic, ...options });
    await client.connect();
    // the running statement rejects, or the next one; without a listener, a lost connection would end the process
    client.on('error', () => undefined);
    return client;
  } catch (error) {
    throw unusable(error, address);
  }
}

/** The socket of an open connection, with or without TLS. */
export function streamOf(client: pg.ClientBase): Socket {
  // as: pg's types leave out the connection, which its clients are documented to have
  return (client as pg.ClientBase & { connection: { stream: Socket } }).connection.stream;
}
