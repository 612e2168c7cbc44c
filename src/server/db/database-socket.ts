import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type PGlite, protocol } from '@electric-sql/pglite';
import { PGLiteSocketHandler } from '@electric-sql/pglite-socket';
import { setTimeout as sleep } from 'node:timers/promises';

/** The file name that PostgreSQL clients expect in the folder of `host`. */
const socketName = '.s.PGSQL.5432';
/** The system limits a socket path, including a final zero byte: 104 bytes on macOS, 108 on Linux. */
const maxPathBytes = 103;
const ownerOnly = 0o177;

/** The socket of a demo belongs to another user. */
export class ForeignSocket extends Error {
  constructor(path: string, cause?: unknown) {
    super(`${path} is not of this user alone; run the demo and its commands as the same user`, { cause });
    this.name = 'ForeignSocket';
  }
}

/** The folder of the socket: the data folder, or a temporary one where the path would be too long. */
export function socketFolder(dataFolder: string): string {
  const folder = resolve(dataFolder);
  if (Buffer.byteLength(join(folder, socketName)) <= maxPathBytes) return folder;
  return join(tmpdir(), `marquee-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`);
}

/** The URL of a served embedded database, for any PostgreSQL client. */
export function socketUrl(dataFolder: string): string {
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketFolder(dataFolder))}`;
}

/** Whether a process is serving the database of a data folder. Throws `ForeignSocket`. */
export async function isDatabaseServed(dataFolder: string): Promise<boolean> {
  assertOwnFolder(dataFolder);
  const path = join(socketFolder(dataFolder), socketName);
  return new Promise((done, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') done(false);
      else reject(new ForeignSocket(path, error));
    });
  });
}

/**
 * Serves an embedded database at a Unix socket that only its owner can open. The caller must have locked the data
 * folder, so an existing socket is a leftover of a killed process. The returned function stops it. Throws where the
 * system does not allow it.
 */
export async function serveDatabase(client: PGlite, dataFolder: string): Promise<() => Promise<void>> {
  const folder = socketFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  assertOwnFolder(dataFolder);
  const path = join(folder, socketName);
  rmSync(path, { force: true });
  const ended = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const session = openSession(client, () => socket.destroy());
    ended.set(
      socket,
      session.ended.finally(() => ended.delete(socket)),
    );
    const handler = new PGLiteSocketHandler({ queryQueue: session.queue, closeOnDetach: true });
    void handler.attach(socket);
  });
  await listenPrivately(server, path);
  return async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of ended.keys()) socket.destroy();
    await Promise.all(ended.values());
    await closed;
  };
}

/** The socket exists as soon as `listen` is called, so the umask must already exclude other users. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const listening = new Promise<void>((done, reject) => server.once('listening', done).once('error', reject));
  const before = process.umask(ownerOnly);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  await listening;
}

/** Another user may have created the temporary folder first, to impersonate the demo's database. */
function assertOwnFolder(dataFolder: string): void {
  const folder = socketFolder(dataFolder);
  if (folder === resolve(dataFolder)) return;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const isOwn = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (!isOwn) throw new ForeignSocket(folder);
}

type Queue = ConstructorParameters<typeof PGLiteSocketHandler>[0]['queryQueue'];
type OnData = Parameters<Queue['enqueue']>[2];

interface Session {
  /** for the handler of the connection */
  readonly queue: Queue;
  /** resolves when the connection is closed and its transaction is rolled back */
  readonly ended: Promise<void>;
}

/** A connection that is idle this long within a transaction is closed, as on PostgreSQL (open-database.ts). */
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
function openSession(client: PGlite, close: () => void): Session {
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
