import * as v from 'valibot';
import { audit, readLedgerSnapshot, type Audit } from './audit.ts';
import { seededRandom, type SeededRandom } from './seeded-random.ts';
import { mishaps, type FaultyWire, type Passing } from './faulty-wire.ts';
import { runBuyers, checkCustomerViews } from './crowd.ts';
import { runReviewers } from './reviewers.ts';
import { aTally, type Tally } from './report.ts';
import { openShopInProcess } from './shop-in-process.ts';
import { openServerUnderTest, type ServerUnderTest } from './server-under-test.ts';
import { ways } from './ways.ts';

export interface MoneyScenario {
  readonly audit: Audit;
  readonly tally: Tally;
  /** what the server printed */
  readonly output: string;
  readonly seconds: number;
}

export interface MoneyOptions {
  readonly purchases: number;
  readonly seed: number;
  readonly on: 'postgres' | 'embedded' | 'in process';
  /** how many buy at the same time */
  readonly atOnce: number;
  /** how many of a hundred requests something happens to, on each wire */
  readonly percent: number;
}

/** Lets many people buy over wires that do their worst, and looks at the books when all of them are done. */
export async function verifyMoney({
  purchases: total,
  seed,
  on,
  atOnce,
  percent,
}: MoneyOptions): Promise<MoneyScenario> {
  const started = performance.now();
  // nobody looks at transfers where the database cannot be reached beside the shop
  const proved = ways.filter(({ method }) => on !== 'embedded' || method !== 'transfer');
  const brands = [...new Set(proved.map(({ brand }) => brand))];
  const customers = Math.max(atOnce, Math.ceil(total / 8));
  const wanted = { customers, brands, reconcileAfterSeconds: on === 'in process' ? 1 : 2 };
  const shop = await (on === 'in process' ? openShopInProcess(wanted) : openServerUnderTest(on, wanted));
  try {
    const tally = aTally();
    const chance = seededRandom(seed);
    spoil(shop, { chance, tally, percent });
    const people = runReviewers(shop);
    const purchases = await runBuyers(shop, { proved, chance, atOnce, goesOn: (begun) => begun < total });
    await people.stop();
    calm(shop);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await checkCustomerViews(shop, purchases);
    const books = await shop.stopAndRead(readLedgerSnapshot);
    const seconds = (performance.now() - started) / 1000;
    return { audit: audit(purchases, books), tally, output: shop.server.output(), seconds };
  } finally {
    await shop.close();
  }
}

function spoil(
  { front, back }: ServerUnderTest,
  { chance, tally, percent }: { chance: SeededRandom; tally: Tally; percent: number },
): void {
  const methodOf = new Map<string, string>();
  const decide = (wire: FaultyWire, who: (passing: Passing) => string) =>
    wire.decide((passing) => {
      const method = who(passing);
      if (!chance.is(percent / 100)) return undefined;
      const mishap = chance.pick(mishaps);
      tally.count({ method, call: callOf(passing), mishap });
      return mishap;
    });
  decide(front, ({ headers }) => String(headers['x-request-id']).split('-')[0] ?? '');
  decide(back, (passing) => providerMethod(passing, methodOf));
}

/** The name of a call: its path, without what is only this payment's. */
function callOf({ url }: Passing): string {
  return url
    .replace(/\?.*/, '')
    .split('/')
    .map((part) => (part.length > 14 && /[0-9]/.test(part) ? '*' : part))
    .join('/');
}

const startSchema = v.object({ key: v.string(), brand: v.string(), methodCode: v.string() });

/** What a request to a provider is about: the first one tells it, the others only name its key. */
function providerMethod({ url, body }: Passing, known: Map<string, string>): string {
  if (url.startsWith('/sandbox/paypal')) return 'paypal';
  const start = v.safeParse(v.pipe(v.string(), v.parseJson(), startSchema), body.toString());
  if (start.success) {
    const { key, brand, methodCode } = start.output;
    const way = ways.find((one) => one.brand === brand && one.wish.methodCode === methodCode);
    known.set(key, way?.method ?? methodCode);
  }
  const key = start.success ? start.output.key : (url.split('/')[4] ?? '');
  return known.get(key) ?? 'other';
}

function calm({ front, back }: ServerUnderTest): void {
  for (const wire of [front, back]) wire.decide(() => undefined);
}
