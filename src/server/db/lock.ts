import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process uses this folder. */
export class DataFolderInUse extends Error {
  readonly pid: number | undefined;

  constructor(folder: string, pid: number | undefined) {
    super(`${folder} is in use by process ${pid ?? 'unknown'}`);
    this.name = 'DataFolderInUse';
    this.pid = pid;
  }
}

const waitMs = 400;

/**
 * Locks a folder for this process until the returned function is called or the process ends, however it ends. PGlite
 * has no lock of its own, and two processes in one folder lose rows. The lock is an open write transaction of a tiny
 * SQLite file: the operating system releases it even after kill -9, no stale lock remains, and a refused process can
 * still read the owner's process id.
 */
export function lockFolder(folder: string): () => void {
  const file = new DatabaseSync(join(folder, 'lock.db'), { timeout: waitMs });
  try {
    file.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL)');
    file.exec('BEGIN IMMEDIATE');
    file.exec('DELETE FROM holder');
    file.prepare('INSERT INTO holder (pid) VALUES (?)').run(process.pid);
    file.exec('COMMIT');
    file.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const pid = holderOf(file);
    file.close();
    if (isBusy(error)) throw new DataFolderInUse(folder, pid);
    throw error;
  }
  return () => {
    if (file.isOpen) file.close();
  };
}

function holderOf(file: DatabaseSync): number | undefined {
  try {
    const row = file.prepare('SELECT pid FROM holder').get();
    return typeof row?.['pid'] === 'number' ? row['pid'] : undefined;
  } catch {
    // the owner is still writing the file, so its process id is not readable yet
    return undefined;
  }
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
