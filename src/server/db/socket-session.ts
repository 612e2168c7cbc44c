import { setTimeout as sleep } from 'node:timers/promises';
import { protocol, type PGlite } from '@electric-sql/pglite';
import type { PGLiteSocketHandler } from '@electric-sql/pglite-socket';

type Queue = ConstructorParameters<typeof PGLiteSocketHandler>[0]['queryQueue'];
type OnData = Parameters<Queue['enqueue']>[2];

interface Session {
  /** for the handler of the connection */
  readonly queue: Queue;
  /** resolves when the connection is closed and its transaction is rolled back */
  readonly ended: Promise<void>;
}

/** A connection that is idle this long within a transaction is closed, as on PostgreSQL (open-pool.ts). */
const idleInTransactionMs = 10_000;

const query = 'Q'.charCodeAt(0);
const sync = 'S'.charCodeAt(0);
const terminate = 'X'.charCodeAt(0);
/** The first message of a connection has no type byte: it begins with its length. */
const startup = 0;

/** Also ends a query of which only some messages have arrived. */
const rollback = Buffer.concat([protocol.serialize.sync(), protocol.serialize.query('rollback')]);

/**
 * One connection to an embedded database. All connections and the demo share PGlite's only session, and the package's
 * own queue interleaves connections within a query or a transaction. So a connection locks the database with its first
 * message and unlocks it when the query is complete and no transaction is open.
 */
export function openSession(client: PGlite, close: () => void): Session {
  const lock = lockOf(client);
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = async (message: Uint8Array, onData: OnData): Promise<number> => {
    const type = message[0];
    clearTimeout(idle);
    // PGlite would exit on this message
    if (isClosed || type === terminate) return 0;
    await lock.acquire();
    const bytes = await send(client, message, onData);
    if (type !== query && type !== sync && type !== startup) return bytes;
    if (client.isInTransaction()) idle = setTimeout(close, idleInTransactionMs).unref();
    else lock.release();
    return bytes;
  };
  const queue = {
    enqueue: (_handler: number, message: Uint8Array, onData: OnData) => {
      const handled = last.then(() => handle(message, onData));
      // the handler receives the failure and closes the connection
      last = handled.catch(() => undefined);
      return handled;
    },
    clearQueueForHandler: () => {
      isClosed = true;
      clearTimeout(idle);
    },
    clearTransactionIfNeeded: async () => {
      await last;
      await lock.rollBack().finally(resolve);
    },
  };
  // as: the handler calls these three; the class of the package has private members and is not exported
  return { queue: queue as unknown as Queue, ended };
}

function lockOf(client: PGlite) {
  let unlock: (() => void) | undefined;
  const release = () => {
    unlock?.();
    unlock = undefined;
  };
  return {
    acquire: async () => void (unlock ??= await lockDatabase(client)),
    release,
    rollBack: async () => void (unlock && (await send(client, rollback).finally(release))),
  };
}

async function send(client: PGlite, message: Uint8Array, onData?: OnData): Promise<number> {
  let bytes = 0;
  await client.execProtocolRawStream(message, {
    onRawData: (data) => {
      bytes += data.length;
      onData?.(data);
    },
  });
  return bytes;
}

/**
 * Resolves with the function that unlocks. Waits for a transaction of the demo, which is not locked between its
 * statements.
 */
async function lockDatabase(client: PGlite): Promise<() => void> {
  for (;;) {
    const locked = Promise.withResolvers<void>();
    const unlocked = Promise.withResolvers<void>();
    const done = client.runExclusive(() => (locked.resolve(), unlocked.promise));
    await Promise.race([locked.promise, done]);
    if (!client.isInTransaction()) return unlocked.resolve;
    unlocked.resolve();
    await done;
    await sleep(1);
  }
}
