import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { sql, type SQL } from 'drizzle-orm';

/**
 * The common type of both drivers and of a transaction. Read rows from `select` or `returning`, because the result of a
 * plain write differs between the drivers.
 */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface OpenedDatabase {
  readonly db: Database;
  /** of a pool: its connections by state, and `waiting`, the requests that wait for one */
  readonly connections?: () => Readonly<Record<'active' | 'idle' | 'waiting', number>>;
  /** closes the connections and unlocks the folder */
  close(): Promise<void>;
}

/** PostgreSQL cannot be used as `DATABASE_URL` describes it; the message is one sentence for an operator, without a secret. */
export class DatabaseUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUnusable';
  }
}

/** The server is reachable, but takes no writes. */
export class ReadOnlyServer extends Error {
  constructor() {
    super('is a standby or read-only, and the shop writes');
    this.name = 'ReadOnlyServer';
  }
}

/** A connection received nothing for too long (open-database.ts). */
export class SilentDatabase extends Error {
  constructor() {
    super('the database does not answer');
    this.name = 'SilentDatabase';
  }
}

/**
 * SQLSTATEs of a database that is temporarily unavailable (PostgreSQL, appendix A): connection lost (class 08), out of
 * disk, memory or connections (53), shutdown or statement timeout (57), lock timeout, serialization failure, deadlock,
 * idle transaction ended, I/O error (58), and read-only, such as a standby before its promotion.
 */
const sqlStates = /^(08...|53...|57...|58...|55P03|40001|40P01|25P03|25006)$/;
/** System error codes of a connection. */
const systemCodes = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOSPC EDQUOT EIO'.split(' '),
);
/** Messages of pg and its pool that have no code. */
const messages =
  /^(timeout exceeded when trying to connect|Connection terminated|timeout expired|Client has encountered a connection error)/;

/** Whether this failed because the database is temporarily unavailable: a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof SilentDatabase || error instanceof DatabaseUnusable || messages.test(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return sqlStates.test(code) || systemCodes.has(code) || isUnavailable(error.cause);
}

/**
 * Why a database cannot be opened, in one line for an operator, where the cause is not a bug of ours: no server, wrong
 * password, missing database. The driver's messages name users and hosts, and no password.
 */
export function databaseProblemOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return databaseProblemOf(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseUnusable) return error.message;
  // Drizzle's message is the statement
  if (error.message.startsWith('Failed query:')) return databaseProblemOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isOurs = !isUnavailable(error) && !/^(28|3D)...$/.test(code);
  return isOurs ? databaseProblemOf(error.cause) : error.message.split('\n')[0];
}

/** The rows of a statement that the query builder cannot express. Both drivers return them under `rows`. */
export async function statementRows(db: Database, statement: SQL): Promise<readonly Record<string, unknown>[]> {
  // as: `Database` leaves the type of a plain result open; PGlite and pg both return `rows`
  const result = (await db.execute(statement)) as { rows: Record<string, unknown>[] };
  return result.rows;
}

/** Whether the server accepts writes: a standby does not, nor a database that its provider has made read-only. */
export async function isWritable(db: Database): Promise<boolean> {
  const writes = sql`select 1 where not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`;
  return (await statementRows(db, writes)).length > 0;
}

/** The SQLSTATE of an error from PostgreSQL. Drizzle puts the driver's error under `cause`. */
export function sqlStateOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && /^[\dA-Z]{5}$/.test(String(at.code))) return String(at.code);
  }
  return undefined;
}

/** The unique index that a write violated, if any. Drizzle puts the driver's error under `cause`. */
export function violatedIndex(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === '23505' && 'constraint' in at) return String(at.constraint);
  }
  return undefined;
}

/** Whether a statement reached its lock timeout (`withLockTimeout`). PostgreSQL, appendix A. */
export function isLockedByAnother(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === '55P03') return true;
  }
  return false;
}

/**
 * Runs some work of a transaction without waiting for locks: after 50 ms it throws (`isLockedByAnother`), and the rest
 * of the transaction may continue. For callers that already hold locks that the other transaction may need next.
 */
export function withLockTimeout<T>(tx: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return tx.transaction(async (inner) => {
    await inner.execute(sql`set local lock_timeout = '50ms'`);
    const done = await work(inner);
    await inner.execute(sql`set local lock_timeout to default`);
    return done;
  });
}

/**
 * A document as its operator edits it. Content for certain methods is shown where the brand offers one of them, and
 * `{methods}` is replaced by the names of all offered methods, so help follows the methods without editing.
 */
export interface StoredDocument {
  readonly title: string;
  /** epoch milliseconds */
  readonly updatedAt: number;
  readonly sections: readonly StoredSection[];
}

interface StoredSection {
  readonly heading: string;
  readonly paragraphs: readonly (string | ForMethods)[];
  /** codes of methods; without them it is shown to everyone */
  readonly methods?: readonly string[] | undefined;
  /** a related page of the shop; other targets are not shown */
  readonly link?: { readonly to: string; readonly text: string } | undefined;
}

interface ForMethods {
  readonly methods: readonly string[];
  readonly text: string;
}
