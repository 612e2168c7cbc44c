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
  if (error instanceof SilentDatabase || words.test(error.message)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return sqlStates.test(code) || systemCodes.has(code) || isUnavailable(error.cause);
}
