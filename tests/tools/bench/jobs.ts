import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { createLog } from '#server/runtime/log.ts';
import { insertDueWork } from '#tests/builders/due-rows.ts';
import { everyJob } from '#tests/builders/every-job.ts';
import { fillHistory } from '#tests/builders/many-rows.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { median, ms, times, type Figure } from './figures.ts';
import { compareRenewals } from './renewals.ts';

const few = 1000;
const many = 1_000_000;
/** due pieces of work for each job and round */
const due = 200;
const rounds = 7;
const maxRatio = 1.5;
type Times = Map<string, number[]>;

/** Runs every job with `count` due pieces and records its time; throws when a job processed another number. */
async function runOnce({ deps, db }: TestApp, count: number, name: string, into: Times): Promise<void> {
  await insertDueWork(db, { count, now: testNow, name });
  for (const job of everyJob) {
    const started = performance.now();
    const did = await job.run(deps);
    const took = performance.now() - started;
    if (did !== job.does(count)) throw new Error(`${job.name} did ${did} of ${job.does(count)}`);
    into.set(job.name, [...(into.get(job.name) ?? []), took]);
  }
}

async function printDuration<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  console.info(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** Compares the same work at a thousand and at a million orders, alternately, on one real PostgreSQL. */
async function compareOnPostgres(): Promise<Figure[]> {
  const postgres = await startPostgres();
  const opened: OpenedDatabase[] = [];
  const open = async (database: string, orders: number) => {
    const url = postgres.url.replace(/shop$/, database);
    const filling = await openPostgres(url, createLog('silent'), { contents: demoContents, withoutTimeout: true });
    try {
      await printDuration(`${orders.toLocaleString('en')} orders on PostgreSQL`, () =>
        fillHistory(filling.db, orders, testNow),
      );
    } finally {
      await filling.close();
    }
    const one = await openPostgres(url, createLog('silent'), { contents: demoContents });
    opened.push(one);
    return testApp({ db: one.db });
  };
  try {
    await postgres.createDatabase('few');
    await postgres.createDatabase('many');
    const shops = [await open('few', few), await open('many', many)] as const;
    const took: readonly [Times, Times] = [new Map(), new Map()];
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, shop] of shops.entries()) await runOnce(shop, due, `due-${round}`, took[index] ?? new Map());
    }
    return everyJob.map(({ name }) => figureOf(name, took));
  } finally {
    for (const { close } of opened) await close();
    await postgres.stop();
  }
}

/** The first round is a warm-up and does not count. */
function figureOf(name: string, [small, large]: readonly [Times, Times]): Figure {
  const [before = 0, after = 0] = [small, large].map((one) => median((one.get(name) ?? []).slice(1)));
  return {
    what: `${name}, ${due} due at 1,000,000 orders`,
    measured: `${ms(after)} = ${times(after / before)}`,
    against: `at 1,000 orders ${ms(before)}`,
    target: `at most ${maxRatio} x`,
    met: after <= before * maxRatio,
  };
}

/** Measures that the time of the jobs depends on the due work, not on the size of the history. */
export async function measureJobs(): Promise<Figure[]> {
  return [...(await compareOnPostgres()), ...(await compareRenewals())];
}
