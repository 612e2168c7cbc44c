import { setTimeout as pause } from 'node:timers/promises';
import { eq, inArray } from 'drizzle-orm';
import { openStatuses } from '#contract/order-status.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { audit, readLedgerSnapshot } from '../audit.ts';
import { checkCustomerViews, runBuyers } from '../concurrent-buyers.ts';
import { findProviderCharges } from '../provider-charges.ts';
import { ways } from '../payment-methods.ts';
import type { Purchase } from '../purchase.ts';
import { seededRandom } from '../seeded-random.ts';
import type { ShopOfTwo } from './shop.ts';
import { until } from './programs.ts';

/** A fault of operations, which happens while customers buy. */
export interface Fault {
  readonly name: string;
  inject(): Promise<void>;
  /** repairs what was broken, after customers can buy again; purchases continue meanwhile */
  mend?(): Promise<void>;
}

/** The measurements of a fault. Times are in milliseconds. */
export interface PhaseResult {
  readonly name: string;
  /** the longest time in which no payment of any buyer was accepted */
  readonly outageMs: number;
  /** the longest time in which a process was not ready, by process */
  readonly notReadyMs: readonly number[];
  /** public pages that were requested meanwhile, and those that were not served */
  readonly pages: { readonly asked: number; readonly failed: number };
  readonly purchases: number;
  readonly charges: number;
  readonly captures: number;
  readonly faults: readonly string[];
}

export const atOnce = 20;
/** The load before a fault and after the recovery. */
const steadyMs = 8000;
const maxOutageMs = 120_000;
/** Payments that are confirmed on a page, by a notice, or at once; none that is refused by intention. */
export const proved = ways.filter(
  ({ brand, method, ends, action }) =>
    ends === 'paid' && action === 'pay' && method !== 'transfer' && method !== 'crypto' && /lumen|mego/.test(brand),
);

/** Lets customers buy during a fault, waits until the shop has finished, and compares all books. */
export async function runPhase(shop: ShopOfTwo, fault: Fault, before: readonly Purchase[]) {
  const chance = seededRandom(before.length + 1);
  let open = true;
  const goesOn = async () => {
    await pause(200 + chance.next() * 600);
    return open;
  };
  const watch = watchShop(shop);
  const accepted: number[] = [];
  const crowd = runBuyers(shop, {
    proved,
    chance,
    atOnce,
    looks: 1000,
    goesOn,
    // buyers who wait longer between their retries are still there after the longest outage
    wait: (ms) => pause(4 * ms),
    accepted: () => void accepted.push(Date.now()),
  });
  // the fault may fail first; the crowd is awaited at the end
  crowd.catch(() => undefined);
  await pause(steadyMs);
  const from = Date.now();
  try {
    await endure(fault, accepted);
  } catch (error) {
    await watch.stop();
    throw error;
  } finally {
    open = false;
  }
  const purchases = await crowd;
  const to = Date.now();
  const seen = await watch.stop();
  const unfinished = await settle(shop);
  await checkCustomerViews({ ...shop, server: shop.front }, purchases);
  const all = [...before, ...purchases];
  const money = await countMoney(shop, all, purchases);
  const result: PhaseResult = {
    name: fault.name,
    outageMs: longestGap(accepted, from, to),
    ...seen,
    ...money,
    faults: [...money.faults, ...unfinished],
  };
  return { purchases: all, result };
}

/** Injects the fault and mends it, once customers can pay again. */
async function endure(fault: Fault, accepted: readonly number[]): Promise<void> {
  await fault.inject();
  const injected = Date.now();
  const isOver = async () => accepted.filter((at) => at > injected).length > 10;
  await until(isOver, `customers can pay after: ${fault.name}`, maxOutageMs);
  await fault.mend?.();
  await pause(steadyMs);
}

/** The longest time between two of the times from one to another, in milliseconds. */
function longestGap(times: readonly number[], from: number, to: number): number {
  const all = [from, ...times.filter((at) => at > from && at < to).sort((a, b) => a - b), to];
  return Math.max(...all.slice(1).map((time, index) => time - (all[index] ?? time)));
}

const settleLimitMs = 60_000;

/** Waits until the shop has asked the providers for every payment whose answer was lost; returns what is left. */
export async function settle({ db }: Pick<ShopOfTwo, 'db'>): Promise<string[]> {
  for (const limit = Date.now() + settleLimitMs; ; await pause(200)) {
    const open = await db.select().from(orders).where(inArray(orders.status, openStatuses));
    const unknown = await db.select().from(attempts).where(eq(attempts.state, 'INTENT'));
    if (open.length + unknown.length === 0) return [];
    if (Date.now() < limit) continue;
    return [
      ...open.map(({ orderId, status }) => `${orderId} is still ${status}`),
      ...unknown.map(({ id }) => `the result of ${id} is still unknown`),
    ];
  }
}

/** The books of the shop with those of the providers, which are in another database. */
export const readBooks = async ({ db, bank }: ShopOfTwo) => ({
  ...(await readLedgerSnapshot(db)),
  takings: await findProviderCharges(bank),
});

async function countMoney(shop: ShopOfTwo, all: readonly Purchase[], own: readonly Purchase[]) {
  const { findings, faults } = audit(all, await readBooks(shop));
  const mine = new Set(own);
  const ownFindings = findings.filter(({ purchase }) => mine.has(purchase));
  const sum = (of: (finding: (typeof findings)[number]) => number) => ownFindings.reduce((n, one) => n + of(one), 0);
  const wrong = ownFindings.flatMap(({ purchase, faults }) =>
    faults.map((what) => `${purchase.way.name} ${purchase.orderId ?? ''}: ${what}`),
  );
  return {
    purchases: own.length,
    charges: sum(({ charges }) => charges),
    captures: sum(({ captures }) => captures),
    faults: [...wrong, ...faults],
  };
}

/** Requests the readiness of each process, and a public page through HAProxy, until it is stopped. */
function watchShop({ processes, front }: ShopOfTwo) {
  const watch = { isOpen: true };
  const worst = processes.map(() => 0);
  const pages = { asked: 0, failed: 0 };
  const isOk = (url: string) =>
    fetch(url, { signal: AbortSignal.timeout(3000) }).then(
      async (answer) => {
        await answer.body?.cancel();
        return answer.ok;
      },
      () => false,
    );
  const watchProcess = async ({ origin }: { origin: string }, index: number) => {
    for (let readyAt = Date.now(); watch.isOpen; await pause(100)) {
      const isReady = await isOk(`${origin}/readyz`);
      worst[index] = Math.max(worst[index] ?? 0, Date.now() - readyAt);
      if (isReady) readyAt = Date.now();
    }
  };
  const watchPages = async () => {
    for (; watch.isOpen; await pause(250)) {
      pages.asked += 1;
      if (!(await isOk(`http://localhost:${front.port}/pricing-table`))) pages.failed += 1;
    }
  };
  const ended = Promise.all([...processes.map(watchProcess), watchPages()]);
  return {
    stop: async () => {
      watch.isOpen = false;
      await ended;
      return { notReadyMs: worst, pages };
    },
  };
}
