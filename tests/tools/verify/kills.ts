import { audit, readLedgerSnapshot, type Audit } from './audit.ts';
import { seededRandom } from './seeded-random.ts';
import { runBuyers, checkCustomerViews, sleep } from './concurrent-buyers.ts';
import type { Passing, Watcher } from './faulty-wire.ts';
import { openServerUnderTest, type ProcessUnderTest } from './server-under-test.ts';
import { ways, type Way } from './payment-methods.ts';

/**
 * The points between a customer's request and the response at which the process is killed. The proxies delay a request
 * or response meanwhile, so that each point is exact; the last one is random.
 */
const killPoints = [
  'before the intent',
  'after the intent, before the provider',
  'after the charge, before it is written',
  'after it is written, before the answer',
  'while an act is told to the provider',
  'while the provider is asked again',
  'at any moment',
] as const;
type KillPoint = (typeof killPoints)[number];

interface KillScenario {
  readonly audit: Audit;
  readonly kills: ReadonlyMap<KillPoint, number>;
  readonly output: string;
  readonly seconds: number;
}

const isPay = ({ url }: Passing) => /\/(pay|repay)\/v1$/.test(url);
const isStart = ({ url }: Passing) => /\/charges$|\/v2\/checkout\/orders$/.test(url);
const isAct = ({ url }: Passing) => /\/step$|\/capture$/.test(url);
const isInquiry = ({ url }: Passing) => url.endsWith('/inquire');

type WireEvent = keyof Watcher;
/** The proxy, its event and the request of each point. */
const wirePoints: Readonly<
  Record<Exclude<KillPoint, 'at any moment'>, ['front' | 'back', WireEvent, (it: Passing) => boolean]>
> = {
  'before the intent': ['front', 'asked', isPay],
  'after the intent, before the provider': ['back', 'asked', isStart],
  'after the charge, before it is written': ['back', 'answered', isStart],
  'after it is written, before the answer': ['front', 'answered', isPay],
  'while an act is told to the provider': ['back', 'answered', isAct],
  'while the provider is asked again': ['back', 'answered', isInquiry],
};

interface KillOptions {
  readonly kills: number;
  /** the points, which are used in turn */
  readonly points?: readonly KillPoint[];
  /** the payment methods; by default all except transfers, which cannot be reviewed beside a server on PGlite */
  readonly proved?: readonly Way[];
  readonly seed: number;
  /** the number of concurrent buyers */
  readonly atOnce: number;
  /** the longest run time before the next kill in milliseconds, in which buyers make progress */
  readonly lifeMs?: number;
}

const allButTransfers = ways.filter(({ method }) => method !== 'transfer');

/** Kills and restarts the shop repeatedly while customers buy, each time at another point. */
export async function verifyKills({
  kills: total,
  points = killPoints,
  proved = allButTransfers,
  seed,
  atOnce,
  lifeMs = 800,
}: KillOptions): Promise<KillScenario> {
  const started = performance.now();
  const brands = [...new Set(proved.map(({ brand }) => brand))];
  // each attempt whose process dies counts against its customer, so one customer is not used twenty times
  const customers = atOnce * 4;
  const shop = await openServerUnderTest('embedded', { customers, brands, reconcileAfterSeconds: 1 });
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
  const [wire, event, isIt] = wirePoints[point];
  await new Promise<void>((resolve) => {
    shop[wire].watch({
      [event]: async (passing: Passing) => {
        if (!isIt(passing)) return;
        shop[wire].watch({});
        await shop.server.kill9();
        resolve();
        throw new Error('the shop was killed before its response');
      },
    });
  });
}
