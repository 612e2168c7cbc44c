import { sql, type SQL } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { DatabaseUnusable } from './database-problem.ts';

/** A connection on which nothing has come for too long ([Note: Silent database]). */
export class SilentDatabase extends Error {
  constructor() {
    super('the database does not answer');
    this.name = 'SilentDatabase';
  }
}

/**
 * Codes of a database that cannot work at the moment: connection lost (class 08), no room (53: disk, memory, connections),
 * shutting down or cancelled for its time (57), waiting for a lock for too long, two that wait for each other, an idle
 * transaction ended, reading or writing the disk failed (58), and one that only reads, such as a replica before it takes
 * over. PostgreSQL, appendix A.
 */
const sqlStates = /^(08...|53...|57...|58...|55P03|40001|40P01|25P03|25006)$/;
/** What the system says about a connection. */
const systemCodes = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOSPC EDQUOT EIO'.split(' '),
);
/** What pg and its pool say without a code. */
const words =
  /^(timeout exceeded when trying to connect|Connection terminated|timeout expired|Client has encountered a connection error)/;

/** Whether this failed because the database cannot work now: the same may succeed a moment later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof SilentDatabase || error instanceof DatabaseUnusable || words.test(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return sqlStates.test(code) || systemCodes.has(code) || isUnavailable(error.cause);
}

/**
 * Why a database cannot be opened, in one line for an operator, where that is not a fault of ours: nobody there, another
 * password, no such database. The driver's words name users and hosts, and no password.
 */
export function databaseProblemOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return databaseProblemOf(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseUnusable) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isOurs = !isUnavailable(error) && !/^(28|3D)...$/.test(code);
  return isOurs ? databaseProblemOf(error.cause) : error.message.split('\n')[0];
}

/** The rows of a statement that the query builder cannot say. Both drivers hand them over under `rows`. */
export async function statementRows(db: Database, statement: SQL): Promise<readonly Record<string, unknown>[]> {
  // The type of a bare result is the driver's own, which `Database` leaves open; PGlite's and pg's agree on this much.
  const result = (await db.execute(statement)) as { rows: Record<string, unknown>[] };
  return result.rows;
}

/** The code of PostgreSQL's refusal, if it is one. Drizzle puts the driver's error under `cause`. */
export function sqlStateOf(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && /^[\dA-Z]{5}$/.test(String(at.code))) return String(at.code);
  }
  return undefined;
}

/** Which unique index stopped a write, if one did. Drizzle puts the driver's error under `cause`. */
export function violatedIndex(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === '23505' && 'constraint' in at) return String(at.constraint);
  }
  return undefined;
}

/** Whether a statement gave up because another transaction holds what it needs (`withLockTimeout`). PostgreSQL, appendix A. */
export function isLockedByAnother(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && at.code === '55P03') return true;
  }
  return false;
}

/**
 * Does some work inside of a transaction without waiting for others: what another one holds makes it throw within a
 * twentieth of a second (`isLockedByAnother`), and the rest of the transaction may go on. For who already holds what that
 * other one may want next.
 */
export function withLockTimeout<T>(tx: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return tx.transaction(async (inner) => {
    await inner.execute(sql`set local lock_timeout = '50ms'`);
    const done = await work(inner);
    await inner.execute(sql`set local lock_timeout to default`);
    return done;
  });
}
