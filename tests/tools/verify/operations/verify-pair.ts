import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { exponent } from '#contract/money.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { runOperator } from '#tests/fixtures/operator.ts';
import { runBuyers } from '../concurrent-buyers.ts';
import { findProviderCharges } from '../provider-charges.ts';
import type { Purchase } from '../purchase.ts';
import { seededRandom } from '../seeded-random.ts';
import { startPair, type Pair } from './pair.ts';
import { atOnce, proved, runPhase, settle, type PhaseResult } from './phase.ts';
import { until, type Endings } from './programs.ts';
import { openShopOfTwo, shopEnv, type ShopOfTwo } from './shop.ts';

/** How long the synchronous standby receives nothing before the primary is killed. */
const lagMs = 2000;
/** How many payments are confirmed before the asynchronous standby lags, and then before the primary is killed. */
const confirmedBefore = 20;

/** A primary and a synchronous standby, which is promoted by hand: the shop continues without a restart. */
export async function verifySynchronous(endings: Endings, report: (result: PhaseResult) => void): Promise<void> {
  const pair = await startPair(endings, true);
  const shop = await openShopOfTwo(endings, { urls: [pair.url, pair.url], ownUrl: pair.url, buyers: 60 });
  const fault = {
    name: 'a lagging synchronous standby replaces a killed primary',
    inject: async () => {
      await pair.lagAndKillPrimary(() => pause(lagMs));
      await pair.promote();
    },
  };
  const { result } = await runPhase(shop, fault, []);
  report(result);
}

/** The loss of an asynchronous standby. */
export interface Loss {
  /** payments that were confirmed to customers before the failover */
  readonly confirmed: number;
  /** orders of those that the promoted standby does not have */
  readonly lostOrders: number;
  /** charges of the providers that the promoted standby does not have */
  readonly lostCharges: number;
  /** payments of the shop without a charge */
  readonly invented: number;
  /** payments that `orders unknown` lists, because a provider has sent a notice about them */
  readonly listed: number;
  /** lost charges of the bank, and those that `report reconcile` names */
  readonly ofBank: { readonly lost: number; readonly named: number };
}

/** The same with an asynchronous standby, repaired as the guide says: counts what is lost. */
export async function verifyAsynchronous(endings: Endings): Promise<Loss> {
  const pair = await startPair(endings, false);
  const shop = await openShopOfTwo(endings, { urls: [pair.url, pair.url], ownUrl: pair.url, buyers: 60 });
  const purchases = await buyUntilTheFailure(shop, pair);
  await Promise.all(shop.processes.map((one) => one.stop()));
  const lastAt = new Date(await pair.promote()).toISOString();
  const folder = shop.processes[0]?.dataDir ?? '';
  const operate: Operate = async (...args) => {
    const said = await runOperator(args, { ...shopEnv(pair.standbyUrl), DATA_DIR: folder });
    // the processes stopped without a database in which they could say so
    if (said.err.includes('The shop runs on this database')) {
      await pause(5000);
      return operate(...args);
    }
    if (said.code !== 0 && !said.err.includes('Differences'))
      throw new Error(`operator ${args.join(' ')}: ${said.err}`);
    return said.out.split('\n').filter(Boolean);
  };
  await operate('restored', '--backup-at', lastAt, '--why', 'a failover that lost data');
  await Promise.all(shop.processes.map((one) => one.restart()));
  await settle(shop);
  // the providers repeat their notices about payments that the shop does not have
  await pause(3000);
  const listed = (await operate('orders', 'unknown', '--json')).length;
  return { ...(await lossOf(shop, purchases)), listed, ofBank: await reconcileBank(shop, operate, folder) };
}

type Operate = (...args: string[]) => Promise<string[]>;

/** Compares the books with a file of the bank, as the guide says. */
async function reconcileBank({ db, bank }: ShopOfTwo, operate: Operate, folder: string): Promise<Loss['ofBank']> {
  const isPaid = and(eq(sandboxCharges.gateway, 'sandbox'), eq(sandboxCharges.status, 'paid'));
  const charges = await bank.select().from(sandboxCharges).where(isPaid);
  const lines = charges.map(({ publicId, key, amount, currency }) =>
    [publicId, key, (amount / 10 ** exponent(currency)).toFixed(exponent(currency)), currency].join(','),
  );
  const file = join(folder, 'bank.csv');
  writeFileSync(file, ['id,key,amount,currency', ...lines].join('\n'));
  const columns = ['--reference-column=id', '--key-column=key', '--amount-column=amount', '--currency-column=currency'];
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const period = [`--from=${day(-2)}`, `--to=${day(2)}`];
  const rows = await operate(
    'report',
    'reconcile',
    '--gateway=sandbox',
    `--file=${file}`,
    '--json',
    ...columns,
    ...period,
  );
  const captures = new Set((await db.select().from(ledger)).map(({ attemptId }) => attemptId));
  return { lost: charges.filter(({ key }) => !captures.has(key)).length, named: rows.length };
}

/** Lets customers buy until the primary is killed. They do not retry afterwards. */
async function buyUntilTheFailure(shop: ShopOfTwo, pair: Pair): Promise<Purchase[]> {
  const chance = seededRandom(1);
  let open = true;
  const wait = async (ms: number) => {
    if (!open) throw new Error('the primary was killed');
    await pause(ms);
  };
  const goesOn = async () => {
    await pause(200 + chance.next() * 600);
    return open;
  };
  let count = 0;
  const accepted = () => void (count += 1);
  const crowd = runBuyers(shop, { proved, chance, atOnce, looks: 1000, goesOn, wait, accepted });
  crowd.catch(() => undefined);
  const hasMore = (before: number) => async () => count >= before + confirmedBefore;
  await until(hasMore(0), 'customers buy');
  await pair.lagAndKillPrimary(() => until(hasMore(count), 'customers buy while the standby lags'));
  open = false;
  return crowd;
}

async function lossOf(
  { db, bank }: ShopOfTwo,
  purchases: readonly Purchase[],
): Promise<Omit<Loss, 'listed' | 'ofBank'>> {
  const known = new Set((await db.select({ id: orders.orderId }).from(orders)).map(({ id }) => id));
  const entries = await db.select().from(ledger);
  const captures = new Set(entries.filter(({ kind }) => kind === 'capture').map(({ attemptId }) => attemptId));
  const charges = (await findProviderCharges(bank)).map(({ key }) => key);
  const confirmed = purchases.filter(({ end }) => end === 'paid');
  return {
    confirmed: confirmed.length,
    lostOrders: confirmed.filter(({ orderId }) => orderId === undefined || !known.has(orderId)).length,
    lostCharges: charges.filter((key) => !captures.has(key)).length,
    invented: [...captures].filter((key) => !charges.includes(key)).length,
  };
}
