import { like } from 'drizzle-orm';
import type { OpenedDatabase } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { createLog } from '#server/runtime/log.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { fillSubscriptions } from '#tests/builders/many-subscriptions.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { seededRandom } from '../verify/seeded-random.ts';
import { openBank, type Bank } from '../verify/renewals/bank.ts';
import { putSubscribers } from '../verify/renewals/subscribers.ts';
import { median, ms, times, type Figure } from './figures.ts';

const day = 86_400_000;
const few = 10_000;
const many = 1_000_000;
/** notices and charges per round */
const due = 1000;
const rounds = 5;
const maxRatio = 1.5;
/** the time from the purchase of a month to its notice, and from there to the charge */
const [noticeAfterMs, chargeAfterMs] = [22 * day, 7 * day];

interface Shop {
  readonly app: TestApp;
  readonly bank: Bank;
  readonly notices: number[];
  readonly charges: number[];
}

async function aShopWith(url: string, subscriptions: number, opened: OpenedDatabase[]): Promise<Shop> {
  const filling = await openPostgres(url, createLog('silent'), { contents: demoContents, withoutTimeout: true });
  const started = performance.now();
  await fillSubscriptions(filling.db, subscriptions, testNow);
  await filling.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.info(`${subscriptions.toLocaleString('en')} subscriptions on PostgreSQL: ${seconds} s`);
  const one = await openPostgres(url, createLog('silent'), { contents: demoContents });
  opened.push(one);
  const clock = { now: testNow };
  const bank = openBank({ chance: seededRandom(1), clock: () => clock.now, moods: ['pays'], watch: () => {} });
  const app = await testApp({
    db: one.db,
    deps: ({ gateways }) => ({ gateways: { ...gateways, sandbox: bank.gateway } }),
  });
  return { app, bank, notices: [], charges: [] };
}

/** Sends a thousand renewal notices, and makes their charges a week later. */
async function runRound({ app, bank, notices, charges }: Shop, round: number): Promise<void> {
  const month = app.deps.catalog.byCode('lumen')?.plans.find(({ id }) => id === '101');
  if (!month) throw new Error('there is no monthly plan');
  const at = testNow + round * 8 * day;
  const plans = Array.from({ length: due }, () => month);
  await putSubscribers(app.db, { bank, plans, first: round * due, now: at - noticeAfterMs });
  notices.push(await timed(app, at));
  charges.push(await timed(app, at + chargeAfterMs));
  // the next month is not measured
  await app.db.update(subscriptions).set({ dueAt: null }).where(like(subscriptions.id, 'sub-%'));
}

async function timed({ deps, clock }: TestApp, now: number): Promise<number> {
  clock.now = now;
  const started = performance.now();
  const did = await renewDue(deps);
  if (did !== due) throw new Error(`${did} of ${due} renewals were due`);
  return performance.now() - started;
}

function figureOf(what: string, before: readonly number[], after: readonly number[]): Figure {
  // the first round is a warm-up
  const [small, large] = [median(before.slice(1)), median(after.slice(1))];
  return {
    what: `renew-due, ${due.toLocaleString('en')} ${what} at ${many.toLocaleString('en')} subscriptions`,
    measured: `${ms(large)} = ${times(large / small)}`,
    against: `at ${few.toLocaleString('en')} ${ms(small)}`,
    target: `at most ${maxRatio} x`,
    met: large <= small * maxRatio,
  };
}

/** Compares the same renewals at ten thousand and at a million subscriptions, alternately, on one real PostgreSQL. */
export async function compareRenewals(): Promise<Figure[]> {
  const postgres = await startPostgres();
  const opened: OpenedDatabase[] = [];
  const open = async (name: string, subscriptions: number) => {
    await postgres.createDatabase(name);
    return aShopWith(postgres.url.replace(/shop$/, name), subscriptions, opened);
  };
  try {
    const [small, large] = [await open('few', few), await open('many', many)];
    for (let round = 0; round <= rounds; round += 1) for (const shop of [small, large]) await runRound(shop, round);
    return [figureOf('notices', small.notices, large.notices), figureOf('charges', small.charges, large.charges)];
  } finally {
    for (const { close } of opened) await close();
    await postgres.stop();
  }
}
