import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketHandler } from '@electric-sql/pglite-socket';
import { openSession } from './socket-session.ts';

/** The name that PostgreSQL's clients look for in the folder that `host` names. */
const socketName = '.s.PGSQL.5432';
/** The system limits the address of a socket: 104 bytes on macOS, 108 on Linux, with a zero at the end. */
const maxPathBytes = 103;
const ownerOnly = 0o177;

/** The socket of a demo is not this user's. */
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

/** The address of an embedded database that is served, for any client of PostgreSQL. */
export function socketUrl(dataFolder: string): string {
  return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketFolder(dataFolder))}`;
}

/** Whether a process serves the database of a data folder now. Throws `ForeignSocket`. */
export async function isServed(dataFolder: string): Promise<boolean> {
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
 * Serves an embedded database at a Unix socket that only its owner can open. The caller must hold the data folder, so a
 * socket that exists was left behind by a process that was killed. The returned function stops it. Throws where the
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

/** The socket exists as soon as `listen` is called, and no other user may open it in between. */
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

/** Another user may have made the temporary folder first, in order to answer in place of the demo. */
function assertOwnFolder(dataFolder: string): void {
  const folder = socketFolder(dataFolder);
  if (folder === resolve(dataFolder)) return;
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const isOwn = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  if (!isOwn) throw new ForeignSocket(folder);
}
