import { sql } from 'drizzle-orm';
import { statementRows } from '../billing/statement-rows.ts';
import type { Deps } from '../deps.ts';
import { inSteps } from './in-steps.ts';
import { endedBy, type Ended } from './retention.ts';

const batch = 500;

/**
 * Removes what has ended, in steps, so that no statement holds a table, or an embedded shop, for long, whatever has piled
 * up. Answers how many rows went.
 */
export async function purgeEnded({ db, clock, env }: Deps, stopping?: AbortSignal): Promise<number> {
  let gone = 0;
  for (const ended of endedBy(clock(), env)) {
    const full = ended.most ?? batch;
    gone += await inSteps({ full, stopping }, () => removeSome({ db }, ended, full));
    if (stopping?.aborted) break;
  }
  return gone;
}

/** By their places in the table, which the index leads to, because not every table has one column as its key. */
async function removeSome({ db }: Pick<Deps, 'db'>, { table, by, due }: Ended, most: number): Promise<number> {
  const places = sql`select ctid from ${table} where ${due} order by ${by} limit ${most} for update skip locked`;
  const gone = await statementRows(db, sql`delete from ${table} where ctid = any(array(${places})) returning 1 as one`);
  return gone.length;
}
