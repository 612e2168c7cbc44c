import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketHandler } from '@electric-sql/pglite-socket';
import { openSession } from './socket-session.ts';

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
