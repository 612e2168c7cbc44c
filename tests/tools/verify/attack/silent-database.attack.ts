import { login, orders } from '#contract/index.ts';
import { startSilentWire, type SilentWire } from '#tests/fixtures/silent-wire.ts';
import { audit, readLedgerSnapshot } from '../audit.ts';
import { seededRandom } from '../seeded-random.ts';
import { runBuyers, checkCustomerViews, sleep } from '../concurrent-buyers.ts';
import { openServerUnderTest, type ProcessUnderTest } from '../server-under-test.ts';
import { ways } from '../payment-methods.ts';
import type { Attack } from './attack.ts';
import { assertExact } from './exact-books.ts';

const silentMs = 60_000;
/** The longest that a request may take while the database is silent, in milliseconds. */
const boundMs = 15_000;
const readyBoundMs = 2000;
const recoveryMs = 5000;
const atOnce = 16;
/** The purchases before the silence; the others show that the shop works after it. */
const before = 25;
const total = 120;
const brands = ['lumen', 'mego', 'baobab'];

/** The status and time of a call. A call without a response is aborted after twice the bound. */
async function timed(shop: ProcessUnderTest, path: string, init: RequestInit = {}) {
  const started = performance.now();
  const url = `http://localhost:${shop.server.port}${path}`;
  const status = await fetch(url, { ...init, signal: AbortSignal.timeout(2 * boundMs) }).then(
    (answer) => answer.status,
    () => 0,
  );
  return { status, ms: performance.now() - started };
}

const asJson = { 'content-type': 'application/json', language: 'en' };

function callApi(shop: ProcessUnderTest, what: 'login' | 'orders') {
  const token = shop.customers.get('lumen')?.[0]?.token ?? '';
  const body = {
    login: { account: 'nobody@example.com', type: 'email', password: 'secret-123' },
    orders: { page: 1, size: 5 },
  };
  const headers = { ...asJson, authorization: what === 'orders' ? token : 'null' };
  return timed(shop, { login, orders }[what].path, { method: 'POST', headers, body: JSON.stringify(body[what]) });
}

/** Sends probes, logins and order lists while the database is silent. */
async function checkDuringSilence(shop: ProcessUnderTest, say: (line: string) => void): Promise<void> {
  const end = performance.now() + silentMs;
  const worst = { readyz: 0, login: 0, orders: 0 };
  const seen = new Set<string>();
  const repeat = async (what: keyof typeof worst) => {
    while (performance.now() < end) {
      const { status, ms } = await (what === 'readyz' ? timed(shop, '/readyz') : callApi(shop, what));
      worst[what] = Math.max(worst[what], ms);
      seen.add(`${what} ${status}`);
      await sleep(200);
    }
  };
  await Promise.all([repeat('readyz'), ...Array.from({ length: 6 }, () => [repeat('login'), repeat('orders')]).flat()]);
  const figures = Object.entries(worst).map(([what, ms]) => `${what} ${(ms / 1000).toFixed(1)} s`);
  say(`${silentMs / 1000} s of silence: ${[...seen].toSorted().join(', ')}; the longest: ${figures.join(', ')}`);
  if (worst.readyz > readyBoundMs) throw new Error('/readyz did not answer in time');
  if (Math.max(worst.login, worst.orders) > boundMs) throw new Error('a request hung');
  const others = [...seen].filter((one) => !one.endsWith(' 503'));
  if (others.length > 0) throw new Error(`not refused with 503: ${others.join(', ')}`);
}

async function recover(shop: ProcessUnderTest, say: (line: string) => void): Promise<void> {
  const started = performance.now();
  const works = async () => {
    const answers = await Promise.all([timed(shop, '/readyz'), callApi(shop, 'login'), callApi(shop, 'orders')]);
    return answers.map(({ status }) => status).join() === '200,401,200';
  };
  let hasRecovered = false;
  while (!hasRecovered) hasRecovered = await works();
  const ms = performance.now() - started;
  say(`recovered after ${(ms / 1000).toFixed(1)} s`);
  if (ms > recoveryMs) throw new Error('it took too long to recover');
}

async function verify(shop: ProcessUnderTest, wire: SilentWire, say: (line: string) => void): Promise<void> {
  const proved = ways.filter(({ method }) => method !== 'transfer');
  const { promise: someHaveBegun, resolve: resolveBegun } = Promise.withResolvers<void>();
  const goesOn = (begun: number) => {
    if (begun >= before) resolveBegun();
    return begun < total;
  };
  const crowd = runBuyers(shop, { proved, chance: seededRandom(7), atOnce, looks: 1000, goesOn });
  await someHaveBegun;
  wire.fallSilent();
  await checkDuringSilence(shop, say);
  wire.speak();
  await recover(shop, say);
  const purchases = await crowd;
  await sleep(2500);
  await checkCustomerViews(shop, purchases);
  say(`${wire.swallowed()} connections were swallowed`);
  assertExact(audit(purchases, await shop.stopAndRead(readLedgerSnapshot)), say);
}

export const attack: Attack = {
  holds: `a database that is silent for ${silentMs / 1000} s loses nothing, requests end within ${boundMs / 1000} s, and the shop recovers within ${recoveryMs / 1000} s`,
  run: async (say) => {
    const wires: SilentWire[] = [];
    const shop = await openServerUnderTest('postgres', {
      customers: atOnce,
      brands,
      reconcileAfterSeconds: 2,
      by: async (address) => {
        const url = new URL(address);
        const wire = await startSilentWire(Number(url.port));
        wires.push(wire);
        url.port = String(wire.port);
        return url.href;
      },
    });
    try {
      const [wire] = wires;
      if (!wire) throw new Error('there is no proxy between the shop and its database');
      await verify(shop, wire, say);
    } finally {
      await shop.close();
      for (const wire of wires) await wire.close();
    }
  },
};
