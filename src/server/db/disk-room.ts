import { statfsSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';

/**
 * [Note: Full disk] PGlite does not survive a disk that is full when it begins a new piece of its log (16 MB): it panics, and
 * the next statement holds the whole process for ever, in the middle of a computation. Nothing that was answered is lost,
 * but nobody is answered any more. So writing ends while there is still room for what is under way, and begins again by
 * itself when there is room again. Where somebody else has filled the disk in that very moment, nothing is asked of it after
 * its panic, and everybody is told until the shop is started again. PostgreSQL sees to all that by itself.
 */
const reserveBytes = 64 * 1024 * 1024;

/** Writes until the log is folded into the tables: only that lets go of its old pieces, and PGlite never does it by itself. */
const writesPerCheckpoint = 5000;

/** There is too little room on the disk to write. */
export class DiskFull extends Error {
  readonly code = '53100';

  constructor(folder: string) {
    super(`less than ${reserveBytes / 1024 / 1024} MB are free on the disk of ${folder}`);
    this.name = 'DiskFull';
  }
}

/** The database has panicked; it has to be opened again. */
export class DatabaseStopped extends Error {
  // crash_shutdown
  readonly code = '57P02';

  constructor() {
    super('the database has stopped: make room on its disk and start the shop again; what was answered is kept');
    this.name = 'DatabaseStopped';
  }
}

/** Throws `DiskFull` when the disk of a folder has too little room to write. It asks the system, which takes 2 µs. */
export function roomIn(folder: string): () => void {
  return () => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < reserveBytes) throw new DiskFull(folder);
  };
}

/** Refuses to write while `assertRoom` throws; who only reads is answered. Refuses everything after a panic. */
export function writeWithRoom(client: PGlite, assertRoom: () => void): void {
  stopAfterPanic(client);
  const query = client.query.bind(client);
  const transaction = client.transaction.bind(client);
  let writes = 0;
  const beforeWriting = async () => {
    assertRoom();
    writes += 1;
    if (writes % writesPerCheckpoint === 0) await client.exec('checkpoint');
  };
  client.query = async (text, ...rest) => {
    if (!/^\s*select\b/i.test(text)) await beforeWriting();
    return query(text, ...rest);
  };
  client.transaction = async (act) => {
    await beforeWriting();
    return transaction(act);
  };
}

/** Also what PGlite does by itself, such as ending a transaction that has failed, would never come back. */
function stopAfterPanic(client: PGlite): void {
  const raw = client.execProtocolRawSync.bind(client);
  const stream = client.execProtocolStream.bind(client);
  const close = client.close.bind(client);
  let stopped = false;
  client.execProtocolRawSync = (message) => {
    if (stopped) throw new DatabaseStopped();
    return raw(message);
  };
  client.execProtocolStream = async (...call) => {
    try {
      return await stream(...call);
    } catch (error) {
      stopped ||= error instanceof Error && 'severity' in error && error.severity === 'PANIC';
      throw error;
    }
  };
  // closing writes, too
  client.close = async () => (stopped ? undefined : close());
}
