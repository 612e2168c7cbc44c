import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { throttles } from '#server/db/schema/sign-in.ts';
import { tendTables } from '#server/jobs/tend-tables.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { putDue } from '#tests/builders/due-rows.ts';
import { everyJob } from '#tests/builders/every-job.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

/** How often everything else has its turn while something goes on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let running = true;
  const count = () => {
    turns += 1;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await work();
  running = false;
  return turns;
}

describe('an embedded shop', () => {
  it('goes on serving while its jobs do what has piled up', { timeout: 60_000, tags: 'slow' }, async () => {
    await putDue(shop.db, { count: 400, now: testNow, name: 'due' });
    const jobs = everyJob.filter(({ name }) =>
      ['reconcile', 'refund-duplicates', 'write-requested-messages'].includes(name),
    );
    for (const { run } of jobs) {
      // each takes hundreds of statements; without turns they would all run in a few
      expect(await turnsDuring(() => run(shop.deps))).toBeGreaterThan(20);
    }
  });

  it('stops after the step that a job is at, whatever is still due', async () => {
    const old = (_: unknown, index: number) => ({ key: `old ${index}`, count: 1, resetsAt: testNow - 1 });
    await shop.db.insert(throttles).values(Array.from({ length: 1200 }, old));
    const stopped = AbortSignal.abort();
    const purge = everyJob.find(({ name }) => name === 'purge-ended');
    // as: the job of the shop, which takes the signal that `startJobs` hands to it
    const run = purge?.run as (deps: TestApp['deps'], stopping?: AbortSignal) => Promise<number>;
    expect(await run(shop.deps, stopped)).toBeLessThanOrEqual(500);
    await startJobs(shop.deps)();
    expect(await run(shop.deps)).toBeGreaterThanOrEqual(200);
    expect(await shop.db.select().from(throttles)).toEqual([]);
  });

  it('tends its tables when they have changed much, because nobody else does, and not again before they change', async () => {
    const wear = async () => {
      const { rows } = (await shop.db.execute(
        sql`select n_dead_tup as dead, n_mod_since_analyze as unknown from pg_stat_user_tables where relname = 'throttles'`,
      )) as { rows: { dead: number; unknown: number }[] }; // as: counters of PostgreSQL, as PGlite reads them
      return rows[0];
    };
    await tendTables(shop.deps);
    const row = (_: unknown, index: number) => ({ key: `key ${index}`, count: 1, resetsAt: testNow });
    await shop.db.insert(throttles).values(Array.from({ length: 1000 }, row));
    await shop.db.delete(throttles).where(sql`key < 'key 6'`);
    // counters are told between statements, and not at once: those of the deletion come last
    await expect.poll(async () => (await wear())?.dead ?? 0, { timeout: 10_000 }).toBeGreaterThan(200);
    expect(await tendTables(shop.deps)).toBeGreaterThanOrEqual(1);
    await expect.poll(wear, { timeout: 10_000 }).toEqual({ dead: 0, unknown: 0 });
    expect(await tendTables(shop.deps)).toBe(0);
  });
});
