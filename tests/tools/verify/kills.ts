import { audit, readLedgerSnapshot, type Audit } from './audit.ts';
import { seededRandom } from './seeded-random.ts';
import { runBuyers, checkCustomerViews, sleep } from './crowd.ts';
import type { Passing, Watcher } from './faulty-wire.ts';
import { openServerUnderTest, type ProcessUnderTest } from './server-under-test.ts';
import { ways, type Way } from './ways.ts';

/**
 * Where the process is killed, between a customer's wish and their answer. The wires hold a request or an answer while it
 * dies, so each point is hit exactly; the last one is whenever it happens.
 */
export const killPoints = [
  'before the intent',
  'after the intent, before the provider',
  'after the charge, before it is written',
  'after it is written, before the answer',
  'while an act is told to the provider',
  'while the provider is asked again',
  'at any moment',
] as const;
export type KillPoint = (typeof killPoints)[number];

export interface KillScenario {
  readonly audit: Audit;
  readonly kills: ReadonlyMap<KillPoint, number>;
  readonly output: string;
  readonly seconds: number;
}

const isPay = ({ url }: Passing) => /\/(pay|repay)\/v1$/.test(url);
const isStart = ({ url }: Passing) => /\/charges$|\/v2\/checkout\/orders$/.test(url);
const isAct = ({ url }: Passing) => /\/step$|\/capture$/.test(url);
const isInquiry = ({ url }: Passing) => url.endsWith('/inquire');

type Moment = keyof Watcher;
/** The wire, the moment on it and the request that a point means. */
const places: Readonly<
  Record<Exclude<KillPoint, 'at any moment'>, ['front' | 'back', Moment, (it: Passing) => boolean]>
> = {
  'before the intent': ['front', 'asked', isPay],
  'after the intent, before the provider': ['back', 'asked', isStart],
  'after the charge, before it is written': ['back', 'answered', isStart],
  'after it is written, before the answer': ['front', 'answered', isPay],
  'while an act is told to the provider': ['back', 'answered', isAct],
  'while the provider is asked again': ['back', 'answered', isInquiry],
};

export interface KillOptions {
  readonly kills: number;
  /** where, in turn */
  readonly points?: readonly KillPoint[];
  /** what is bought with; everything but transfers, which nobody can look at beside a shop on PGlite */
  readonly proved?: readonly Way[];
  readonly seed: number;
  /** how many buy at the same time */
  readonly atOnce: number;
  /** so long at most the shop lives before a kill is prepared, in milliseconds: time enough for somebody to get on */
  readonly lifeMs?: number;
}

const bankable = ways.filter(({ method }) => method !== 'transfer');

/** Lets people buy, and kills the shop under them again and again, each time at another point. Each time it starts again. */
export async function verifyKills({
  kills: total,
  points = killPoints,
  proved = bankable,
  seed,
  atOnce,
  lifeMs = 800,
}: KillOptions): Promise<KillScenario> {
  const started = performance.now();
  const brands = [...new Set(proved.map(({ brand }) => brand))];
  const shop = await openServerUnderTest('embedded', { customers: atOnce, brands, reconcileAfterSeconds: 1 });
  const chance = seededRandom(seed);
  const kills = new Map<KillPoint, number>();
  try {
    let done = 0;
    const crowd = runBuyers(shop, { proved, chance, atOnce, looks: 1000, goesOn: () => done < total });
    for (; done < total; done += 1) {
      const point = points[done % points.length] ?? 'at any moment';
      await killAt(shop, point, chance.next() * lifeMs);
      kills.set(point, (kills.get(point) ?? 0) + 1);
      await shop.server.restart();
    }
    const purchases = await crowd;
    await sleep(2500);
    await checkCustomerViews(shop, purchases);
    const books = await shop.stopAndRead(readLedgerSnapshot);
    const seconds = (performance.now() - started) / 1000;
    return { audit: audit(purchases, books), kills, output: shop.server.output(), seconds };
  } finally {
    await shop.close();
  }
}

async function killAt(shop: ProcessUnderTest, point: KillPoint, lifeMs: number): Promise<void> {
  await sleep(lifeMs);
  if (point === 'at any moment') return shop.server.kill9();
  const [wire, moment, isIt] = places[point];
  await new Promise<void>((resolve) => {
    shop[wire].watch({
      [moment]: async (passing: Passing) => {
        if (!isIt(passing)) return;
        shop[wire].watch({});
        await shop.server.kill9();
        resolve();
        throw new Error('the shop has died, and its answer with it');
      },
    });
  });
}
