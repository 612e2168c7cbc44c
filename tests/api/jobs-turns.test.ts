import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCatalog } from '#server/brand/catalog.ts';
import { writeRows } from '#server/brand/folder/write-rows.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { queueMessageRequest } from '#server/messages/message-requests.ts';
import { demoBrand } from '#sandbox/demo-brands.ts';
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
    expect(lines.filter((line) => line.includes('"job":"reconcile"'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('"stack"'))).toHaveLength(1);
  });
});

it('a job of a process that has not loaded a new brand yet loses no message of it', async () => {
  const { db, deps } = shop;
  const settings = { demo: true, defaultBrand: 'lumen', extraHosts: [], port: 3000, log: deps.log };
  const stale = await openCatalog(db, settings);
  const lumen = demoBrand('lumen');
  const brand = { ...lumen.brand, code: 'acme', tenantId: 'acme' };
  await writeRows(db, { ...lumen, brand, hosts: ['acme.localhost'], banners: [] }, undefined);
  expect(stale.byCode('acme')).toBeUndefined();
  const request = { brandCode: 'acme', kind: 'code', accountType: 'email', language: 'en', scene: 'signup' } as const;
  await queueMessageRequest(db, { ...request, account: 'eva@example.com', code: '1234' }, deps);
  const stop = startJobs({ ...deps, catalog: stale });
  const written = () => db.select().from(outbox).where(eq(outbox.recipient, 'eva@example.com'));
  await expect.poll(async () => (await written()).length, { timeout: 20_000 }).toBe(1);
  await stop();
});
