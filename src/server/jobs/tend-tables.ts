import { sql } from 'drizzle-orm';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { statementRows } from '#server/db/driver-results.ts';
import type { Deps } from '#server/deps.ts';

/** A table is tended when so many rows and a fifth of it have changed, as autovacuum does. */
const changedRows = 200;
const changedShare = 0.2;
/** Rows that are looked at are 300 times as many: a tenth of PostgreSQL's, which takes some 40 ms of the process. */
const statisticsTarget = 10;

/**
 * What autovacuum does elsewhere: an embedded database has none, so nobody would notice how its tables grow, and what was
 * deleted would stay in the way of every queue. One table at a time, with a turn for everybody else in between. Answers
 * how many were tended.
 */
export async function tendTables({ db }: Pick<Deps, 'db'>, stopping?: AbortSignal): Promise<number> {
  const worn = await statementRows(
    db,
    sql`select relname as name, n_dead_tup > ${changedRows}::int + n_live_tup * ${changedShare}::float8 as is_worn
      from pg_stat_user_tables where schemaname = 'public'
        and greatest(n_mod_since_analyze, n_dead_tup) > ${changedRows}::int + n_live_tup * ${changedShare}::float8`,
  );
  if (worn.length > 0) await db.execute(sql.raw(`set default_statistics_target = ${statisticsTarget}`));
  for (const { name, is_worn: isWorn } of worn) {
    if (stopping?.aborted) break;
    await nextTurn();
    const options = isWorn === true ? 'vacuum (analyze, truncate off)' : 'analyze';
    await db.execute(sql`${sql.raw(options)} ${sql.identifier(String(name))}`);
  }
  return worn.length;
}
