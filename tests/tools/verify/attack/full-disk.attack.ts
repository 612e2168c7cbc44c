import { randomUUID } from 'node:crypto';
import { login, orders } from '#contract/index.ts';
import { audit, readLedgerSnapshot } from '../audit.ts';
import { seededRandom } from '../seeded-random.ts';
import { runBuyers, checkCustomerViews, sleep } from '../concurrent-buyers.ts';
import { openServerUnderTest, type ProcessUnderTest } from '../server-under-test.ts';
import { ways } from '../payment-methods.ts';
import type { Attack } from './attack.ts';
import { assertExact } from './exact-books.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const atOnce = 12;
const before = 25;
const total = 100;
const fullMs = 10_000;
const brands = ['lumen', 'mego', 'baobab'];

async function status(shop: ProcessUnderTest, path: string, token: string, body: unknown): Promise<number> {
  const answer = await fetch(`http://localhost:${shop.server.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', language: 'en', authorization: token },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  return answer.status;
}

/** Uses a new account for each attempt, because the server requires a captcha after ten failures for one account. */
function logIn(shop: ProcessUnderTest): Promise<number> {
  const account = `nobody.${randomUUID()}@example.com`;
  return status(shop, login.path, 'null', { account, type: 'email', password: 'secret-123' });
}

const openOrders = (shop: ProcessUnderTest) =>
  status(shop, orders.path, shop.customers.get('lumen')?.[0]?.token ?? '', { page: 1, size: 5 });

/** Fills the disk while customers buy, checks the responses, and frees the disk again. */
async function fillUp(shop: ProcessUnderTest, disk: SmallDisk, say: (line: string) => void): Promise<void> {
  const { pid } = shop.server;
  disk.fill();
  const seen = new Map<string, number>();
  const end = performance.now() + fullMs;
  while (performance.now() < end) {
    for (const [what, answer] of [['login', await logIn(shop)] as const, ['orders', await openOrders(shop)] as const]) {
      seen.set(`${what} ${answer}`, (seen.get(`${what} ${answer}`) ?? 0) + 1);
    }
    await sleep(100);
  }
  say(`${disk.free()} bytes free: ${[...seen].map(([what, count]) => `${what} x ${count}`).join(', ')}`);
  disk.empty();
  const started = performance.now();
  let works = false;
  while (!works) works = (await logIn(shop)) === 401 && (await openOrders(shop)) === 200;
  say(`works again ${((performance.now() - started) / 1000).toFixed(1)} s after the disk is freed`);
  if (shop.server.pid !== pid) throw new Error('the process has ended');
  const broken = [...seen.keys()].filter((one) => !/ (200|401|503)$/.test(one));
  if (broken.length > 0) throw new Error(`not refused with 503: ${broken.join(', ')}`);
}

async function verify(disk: SmallDisk, say: (line: string) => void): Promise<void> {
  const shop = await openServerUnderTest('postgres', { customers: atOnce, brands, reconcileAfterSeconds: 2 });
  try {
    const proved = ways.filter(({ method }) => method !== 'transfer');
    const { promise: someHaveBegun, resolve: resolveBegun } = Promise.withResolvers<void>();
    const goesOn = (begun: number) => {
      if (begun >= before) resolveBegun();
      return begun < total;
    };
    const crowd = runBuyers(shop, { proved, chance: seededRandom(11), atOnce, looks: 1000, goesOn });
    await someHaveBegun;
    await fillUp(shop, disk, say);
    const purchases = await crowd;
    await sleep(2500);
    await checkCustomerViews(shop, purchases);
    assertExact(audit(purchases, await shop.stopAndRead(readLedgerSnapshot)), say);
  } finally {
    await shop.close();
  }
}

export const attack: Attack = {
  holds: 'a full disk loses no confirmed payment, requests are refused with 503, and the shop works when it is freed',
  run: async (say) => {
    const disk = mountSmallDisk(256);
    if (!disk) return say('not run: this process may not mount a small disk; run it as root');
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = disk.folder;
    try {
      await verify(disk, say);
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
      disk.remove();
    }
  },
};
