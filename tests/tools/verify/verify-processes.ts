import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, isNull, lt, lte } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { maxMailTries, outbox } from '#server/db/schema/outbox.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { readMail } from '#tests/fixtures/mail-server.ts';
import { buyByCard, buyByPix, customersOf, openShopOfMany, untilSettled } from './shop-of-many.ts';
import { findProviderCharges } from './provider-charges.ts';

/**
 * `npm run verify:processes`: many processes of one shop behind a load balancer are killed in turn while customers buy
 * with double taps, banks send notices twice and subscriptions renew monthly. The books of the providers, the shop and
 * the mail server must agree: nothing is charged, captured or renewed twice. A mail may be sent twice only if its
 * process was killed between sending and recording it.
 */
const day = 86_400_000;
const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: '4' },
    customers: { type: 'string', default: '100' },
    months: { type: 'string', default: '6' },
    kills: { type: 'string', default: '24' },
    pgbouncer: { type: 'boolean', default: false },
  },
});
const options = {
  processes: Number(values.processes),
  customers: Number(values.customers),
  months: Number(values.months),
  kills: Number(values.kills),
};

const shop = await openShopOfMany(options.processes, { pooled: values.pgbouncer });
const wrong: string[] = [];
let kills = 0;
/** Longer than the claim of a mail (90 s) and of a renewal (5 minutes). */
const claimMs = 6 * 60_000;

/** The unfinished work of the shop: mails, payments with an unknown result, renewals that are due or claimed. */
async function unfinished(): Promise<string[]> {
  const isWaiting = and(isNull(outbox.sentAt), lt(outbox.tries, maxMailTries));
  const mails = await shop.db.select({ id: outbox.id, at: outbox.tries }).from(outbox).where(isWaiting);
  const isUnknown = eq(attempts.state, 'INTENT');
  const payments = await shop.db.select({ id: attempts.id, at: attempts.updatedAt }).from(attempts).where(isUnknown);
  const { id, dueAt } = subscriptions;
  const isDue = lte(dueAt, shop.now() + claimMs);
  const renewals = await shop.db.select({ id, at: dueAt }).from(subscriptions).where(isDue);
  return [...mails, ...payments, ...renewals].map((one) => `${one.id} ${one.at}`).sort();
}

/**
 * Waits until the shop has finished everything. Work that is unchanged for three seconds was claimed by a killed
 * process, so the clock is advanced to end the claims; earlier, a mail that is being sent would be sent again.
 */
async function settle(): Promise<void> {
  let before: string[] = [];
  for (let unchanged = 0; unchanged < 3; await pause(1000)) {
    const left = await unfinished();
    if (left.length === 0) break;
    unchanged = left.join() === before.join() ? unchanged + 1 : 0;
    before = left;
    if (unchanged === 3) await shop.passTime(claimMs);
  }
  await untilSettled(async () => (await unfinished()).length === 0, 'everything is finished', 180_000);
}

/** Kills the processes in turn while some work is in progress. */
async function killDuring(work: Promise<unknown>, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await pause(300 + Math.random() * 700);
    await shop.kill(kills);
    kills += 1;
  }
  await work;
}
try {
  const all = await customersOf(shop, options.customers);
  const each = Math.max(1, Math.floor(options.kills / (options.months + 1)));
  let unknown = 0;
  const buyers = all.map(async (one, index) => {
    // a killed process leaves its caller without an answer: the books contain the result
    await (index % 4 === 3 ? buyByPix : buyByCard)(shop, one).catch(() => (unknown += 1));
  });
  await killDuring(Promise.all(buyers), each);
  await settle();
  for (let month = 0; month < options.months; month += 1) {
    await shop.passTime(23 * day);
    await settle();
    await killDuring(shop.passTime(7 * day), each);
    await settle();
  }
  const books = async () => ({
    orders: await shop.db.select().from(orders),
    attempts: await shop.db.select().from(attempts),
    ledger: await shop.db.select().from(ledger),
  });
  const { ledger: entries, ...rest } = await books();
  const takings = await findProviderCharges(shop.db);
  const captures = entries.filter(({ kind }) => kind === 'capture');
  wrong.push(...unbalanced({ ledger: entries, ...rest }));
  if (captures.length !== takings.length) wrong.push(`${takings.length} takings, ${captures.length} captures`);
  const periods = rest.orders
    .filter(({ period }) => period !== null)
    .map(({ subscriptionId, period }) => `${subscriptionId} ${period}`);
  if (new Set(periods).size !== periods.length) wrong.push('a period was ordered twice');
  const mails = shop.post.mails.map(readMail).map(({ to, subject }) => `${to} ${subject}`);
  const twice = mails.length - new Set(mails).size;
  const again = mails.filter((mail, index) => mails.indexOf(mail) < index);
  if (twice > kills) wrong.push(`${twice} mails were sent twice with ${kills} kills: ${again.slice(0, 5).join(', ')}`);
  process.stdout.write(
    `${options.processes} processes, ${kills} kills, ${unknown} purchases without an answer: ${takings.length} takings, ` +
      `${captures.length} captures, ${periods.length} renewals, ${mails.length} mails, ${twice} of them twice; ` +
      `${wrong.length} wrong\n${wrong.join('\n')}\n`,
  );
} finally {
  await shop.close();
}
process.exitCode = wrong.length > 0 ? 1 : 0;
