import { statfsSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';

/**
 * [Note: Full disk] PGlite does not survive a disk that is full when it begins a new piece of its log (16 MB): it stops the
 * whole process for ever, in the middle of a computation. Nothing that was answered is lost by that, but nobody is answered
 * any more, not even that something is wrong. So writing ends while there is still room for what is under way, and begins
 * again by itself when there is room again. PostgreSQL sees to that by itself, with the same code (53100).
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

/** Throws `DiskFull` when the disk of a folder has too little room to write. It asks the system, which takes 2 µs. */
export function roomIn(folder: string): () => void {
  return () => {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < reserveBytes) throw new DiskFull(folder);
  };
}

/** Refuses to write while `assertRoom` throws; who only reads is answered. */
export function writeWithRoom(client: PGlite, assertRoom: () => void): void {
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
