import type { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '#server/runtime/log.ts';
import { addressOf, clientOf, DatabaseUnusable, describeDatabaseError } from './choose-server.ts';
import { SilentDatabase } from './driver-results.ts';

/**
 * A database can accept a connection and never respond: behind a firewall that dropped its state, or on a host that
 * hangs. So every wait has a limit, in milliseconds. The server ends a slow statement itself; a silent connection is
 * dropped a little later. The request is then refused with `serviceBusy` after at most 15 s, which is two waits for a
 * connection and a response. What was committed stays committed; the client retries with the same idempotency key.
 */
const limits = { connect: 3000, lock: 3000, statement: 4000, silence: 4500, idleInTransaction: 10_000 } as const;

const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

const ends = {
  statement_timeout: limits.statement,
  lock_timeout: limits.lock,
  idle_in_transaction_session_timeout: limits.idleInTransaction,
} as const;

export interface PoolOptions {
  /** statements without a time limit: for programs that fill a database, never for a shop */
  readonly withoutTimeout?: boolean;
}

/** A pool whose connections and statements have time limits. */
export function openPool(url: string, log: Logger, { withoutTimeout = false }: PoolOptions = {}): pg.Pool {
  const { Client, connectionString } = clientOf(addressOf(url));
  const connection = { connectionString, max: 10, connectionTimeoutMillis: limits.connect, ...keepAlive };
  const pool = new pg.Pool({ ...connection, Client, ...(withoutTimeout ? {} : ends) });
  pool.on('error', (error) => log.error({ err: error }, 'an idle database connection failed'));
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
export async function connectForMigrations(url: string): Promise<pg.Client> {
  const address = addressOf(url);
  try {
    const { Client, connectionString } = clientOf(address);
    const client = new Client({ connectionString, connectionTimeoutMillis: limits.connect, ...keepAlive });
    await client.connect();
    return client;
  } catch (error) {
    throw new DatabaseUnusable(describeDatabaseError(error, { ...address, name: address.targets[0].name }), error);
  }
}

/** The socket of an open connection, with or without TLS. */
function streamOf(client: pg.PoolClient): Socket {
  // as: pg's types leave out the connection, which its clients are documented to have
  return (client as pg.PoolClient & { connection: { stream: Socket } }).connection.stream;
}
