import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { timingSafeEqual } from 'node:crypto';
import { eq, gt, lt, sql } from 'drizzle-orm';
import type { Env } from '#server/env.ts';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Database } from './connect.ts';
import { installation, processes } from './schema/installation.ts';

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

/** Another process of the shop uses another secret, so that each would refuse what the other has signed. */
export class SigningSecretMismatch extends Error {
  constructor() {
    super(
      'SIGNING_SECRET: it is not the one that the other processes of this database sign with; set the same one for all of ' +
        'them, or, if you changed it on purpose, stop all of them and run ' +
        '`npm run operator -- signing-secret replace --why <reason>` with the new one',
    );
    this.name = 'SigningSecretMismatch';
  }
}

type Secret = Pick<Env, 'SIGNING_SECRET'>;

const only = 1;
const checkOf = (secret: Secret) => derivedKey(secret, 'signing secret check').toString('hex');

/** `same`, `other`, or `unknown` where no process has started on this database yet. */
export async function compareSigningSecret(db: Database, secret: Secret): Promise<'same' | 'other' | 'unknown'> {
  const [row] = await db.select().from(installation).where(eq(installation.id, only));
  if (!row) return 'unknown';
  const [stored, own] = [Buffer.from(row.signingCheck), Buffer.from(checkOf(secret))];
  return stored.length === own.length && timingSafeEqual(stored, own) ? 'same' : 'other';
}

/**
 * Records the secret of the first process on a database, and throws `SigningSecretMismatch` in each process with
 * another one. Of two concurrent first starts the unique key lets one record it, and the other one compares.
 */
export async function claimSigningSecret(db: Database, secret: Secret, now: number): Promise<void> {
  await db
    .insert(installation)
    .values({ id: only, signingCheck: checkOf(secret), changedAt: now })
    .onConflictDoNothing();
  await assertSigningSecret(db, secret);
}

/** Throws `SigningSecretMismatch` where another secret is recorded. */
export async function assertSigningSecret(db: Database, secret: Secret): Promise<void> {
  if ((await compareSigningSecret(db, secret)) === 'other') throw new SigningSecretMismatch();
}

/** Replaces the recorded secret. */
export async function replaceSigningSecret(db: Database, secret: Secret, now: number): Promise<void> {
  const row = { signingCheck: checkOf(secret), changedAt: now };
  await db
    .insert(installation)
    .values({ id: only, ...row })
    .onConflictDoUpdate({ target: installation.id, set: row });
}

const databaseClock = sql<number>`(extract(epoch from now()) * 1000)::bigint`;
const minuteMs = 60_000;
/** A process renews its row every half minute, so a row this old is of one that ended. */
const absentMs = 2 * minuteMs;
/** Old rows of processes that were killed are deleted at the next start. */
const forgottenMs = 60 * minuteMs;

/** Records that a process runs, which secret it signs with, and how wrong its clock is. `clock` in epoch milliseconds. */
export async function recordProcess(db: Database, id: string, secret: Secret, clock: () => number): Promise<void> {
  const aheadMs = sql`${clock()}::bigint - ${databaseClock}`;
  const row = { signingCheck: checkOf(secret), seenAt: databaseClock, aheadMs };
  await db
    .insert(processes)
    .values({ id, startedAt: databaseClock, ...row })
    .onConflictDoUpdate({ target: processes.id, set: row });
}

/** Deletes the rows of processes that were killed. */
export async function forgetEndedProcesses(db: Database): Promise<void> {
  await db.delete(processes).where(lt(processes.seenAt, sql`${databaseClock} - ${forgottenMs}::int`));
}

/** Deletes the row of a process that ends. */
export async function removeProcess(db: Database, id: string): Promise<void> {
  await db.delete(processes).where(eq(processes.id, id));
}

/** The processes that have run within the last two minutes or `withinMs`, and whether each signs with this secret. */
export async function runningProcesses(
  db: Database,
  secret: Secret,
  withinMs = absentMs,
): Promise<readonly { readonly aheadMs: number; readonly signsAlike: boolean }[]> {
  const rows = await db
    .select({ signingCheck: processes.signingCheck, aheadMs: processes.aheadMs })
    .from(processes)
    .where(gt(processes.seenAt, sql`${databaseClock} - ${withinMs}::int`));
  return rows.map(({ aheadMs, signingCheck }) => ({ aheadMs, signsAlike: signingCheck === checkOf(secret) }));
}
