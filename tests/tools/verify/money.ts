import * as v from 'valibot';
import { audit, readLedgerSnapshot, type Audit } from './audit.ts';
import { seededRandom, type SeededRandom } from './seeded-random.ts';
import { mishaps, type FaultyWire, type Passing } from './faulty-wire.ts';
import { runBuyers, checkCustomerViews } from './concurrent-buyers.ts';
import { runReviewers } from './reviewers.ts';
import { aTally, type Tally } from './report.ts';
import { openShopInProcess } from './shop-in-process.ts';
import { openServerUnderTest, type ServerUnderTest } from './server-under-test.ts';
import { ways } from './payment-methods.ts';

interface MoneyScenario {
  readonly audit: Audit;
  readonly tally: Tally;
  /** the output of the server */
  readonly output: string;
  readonly seconds: number;
}

interface MoneyOptions {
  readonly purchases: number;
  readonly seed: number;
  readonly on: 'postgres' | 'embedded' | 'in process';
  /** the number of concurrent buyers */
  readonly atOnce: number;
  /** the percentage of requests with a fault, on each connection */
  readonly percent: number;
}

/** Runs many buyers over faulty connections and audits the books when all of them are done. */
export async function verifyMoney({
  purchases: total,
  seed,
  on,
  atOnce,
  percent,
}: MoneyOptions): Promise<MoneyScenario> {
  const started = performance.now();
  // transfers cannot be reviewed where only the shop can open the database
  const proved = ways.filter(({ method }) => on !== 'embedded' || method !== 'transfer');
  const brands = [...new Set(proved.map(({ brand }) => brand))];
  const customers = Math.max(atOnce, Math.ceil(total / 8));
  const options = { customers, brands, reconcileAfterSeconds: on === 'in process' ? 1 : 2 };
  const shop = await (on === 'in process' ? openShopInProcess(options) : openServerUnderTest(on, options));
  try {
    const tally = aTally();
    const chance = seededRandom(seed);
    injectFaults(shop, { chance, tally, percent });
    const reviewers = runReviewers(shop);
    const purchases = await runBuyers(shop, { proved, chance, atOnce, goesOn: (begun) => begun < total });
    await reviewers.stop();
    stopFaults(shop);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await checkCustomerViews(shop, purchases);
    const books = await shop.stopAndRead(readLedgerSnapshot);
    const seconds = (performance.now() - started) / 1000;
    return { audit: audit(purchases, books), tally, output: shop.server.output(), seconds };
  } finally {
    await shop.close();
  }
}

function injectFaults(
  { front, back }: ServerUnderTest,
  { chance, tally, percent }: { chance: SeededRandom; tally: Tally; percent: number },
): void {
  const methodOf = new Map<string, string>();
  const decide = (wire: FaultyWire, methodFor: (passing: Passing) => string) =>
    wire.decide((passing) => {
      const method = methodFor(passing);
      if (!chance.is(percent / 100)) return undefined;
      const mishap = chance.pick(mishaps);
      tally.count({ method, call: callOf(passing), mishap });
      return mishap;
    });
  decide(front, ({ headers }) => String(headers['x-request-id']).split('-')[0] ?? '');
  decide(back, (passing) => providerMethod(passing, methodOf));
}

/** The name of a call: its path without the ids of the payment. */
function callOf({ url }: Passing): string {
  return url
    .replace(/\?.*/, '')
    .split('/')
    .map((part) => (part.length > 14 && /[0-9]/.test(part) ? '*' : part))
    .join('/');
}

const startSchema = v.object({ key: v.string(), brand: v.string(), methodCode: v.string() });

/** The payment method of a request to a provider: only the first request names it, later ones have the same key. */
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

function stopFaults({ front, back }: ServerUnderTest): void {
  for (const wire of [front, back]) wire.decide(() => undefined);
}
