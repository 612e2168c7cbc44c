import type { SQL } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';

/** The rows of a statement that the query builder cannot say. Both drivers hand them over under `rows`. */
export async function statementRows(db: Database, statement: SQL): Promise<readonly Record<string, unknown>[]> {
  // The type of a bare result is the driver's own, which `Database` leaves open; PGlite's and pg's agree on this much.
  const result = (await db.execute(statement)) as { rows: Record<string, unknown>[] };
  return result.rows;
}
