import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { throttles } from '#server/db/schema/sign-in.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { createLog } from '#server/runtime/log.ts';
import { everyJob } from '#tests/builders/every-job.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

describe('a job', () => {
  it('stops after its current batch, even if more rows are due', async () => {
    const old = (_: unknown, index: number) => ({ key: `old ${index}`, count: 1, resetsAt: testNow - 1 });
    await shop.db.insert(throttles).values(Array.from({ length: 1200 }, old));
    const stopped = AbortSignal.abort();
    const purge = everyJob.find(({ name }) => name === 'purge-ended');
    // as: the job accepts the stop signal that `startJobs` passes to it
    const run = purge?.run as (deps: TestApp['deps'], stopping?: AbortSignal) => Promise<number>;
    expect(await run(shop.deps, stopped)).toBeLessThanOrEqual(500);
    await startJobs(shop.deps)();
    expect(await run(shop.deps)).toBeGreaterThanOrEqual(200);
    expect(await shop.db.select().from(throttles)).toEqual([]);
  });

  it('logs a failure that repeats itself once a minute, while the database is away', async () => {
    const lines: string[] = [];
    const log = createLog('error', { write: (line) => void lines.push(line) });
    const refuse = () => {
      throw new Error('the database is away');
    };
    // as: a database whose every method fails
    const db = new Proxy({}, { get: () => refuse }) as TestApp['deps']['db'];
    const stop = startJobs({ ...shop.deps, db, log });
    const failures = async () => {
      const figures = await shop.deps.metrics.registry.metrics();
      return Number(/job_failures_total\{job_name="write-requested-messages"\} (\d+)/.exec(figures)?.[1]);
    };
    await expect.poll(failures, { timeout: 20_000 }).toBeGreaterThan(1);
    await stop();
    expect(lines.filter((line) => line.includes('"job":"write-requested-messages"'))).toHaveLength(1);
  });
});
