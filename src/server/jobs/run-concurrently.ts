import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Jobs claim rows with `id = any(array(select id … limit … for update skip locked))`, which no query plan turns into a
 * scan of the table. Keys of several columns are joined instead, with a CTE that is read once (`delete-expired-rows`).
 */

/** The limit of one batch. A batch below it has found everything that was due. */
interface Step {
  readonly full: number;
  /** aborted when the server stops: the running batch is the last one */
  readonly stopping?: AbortSignal | undefined;
}

/** Runs batches until one is not full, and yields to the event loop in between. Returns the total number of rows. */
export async function runInBatches({ full, stopping }: Step, step: () => Promise<number>): Promise<number> {
  let done = 0;
  for (;;) {
    const taken = await step();
    done += taken;
    if (taken < full || stopping?.aborted) return done;
    await nextTurn();
  }
}

/** Runs `work` for each item with limited concurrency. `work` must not throw. */
export async function runConcurrently<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/**
 * The brands that have waiting rows, as `waiting_brands(brand)` for `with recursive`; its last row is null. Each brand
 * costs one step in an index that begins with `waits` and the brand: `select distinct` would read every row of a
 * flood.
 */
export function waitingBrands(brand: PgColumn, waits: SQL): SQL {
  const first = (more: SQL) => sql`select ${brand} from ${brand.table} where ${waits}${more} order by ${brand} limit 1`;
  return sql`waiting_brands as (
      (${first(sql``)})
      union all
      select (${first(sql` and ${brand} > waiting_brands.brand`)}) from waiting_brands where waiting_brands.brand is not null
    )`;
}
