import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { login, orders } from '#contract/index.ts';
import { openEmbedded, type Database } from '#server/db/connect.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { demonstration } from '#sandbox/demonstration.ts';
import { audit, readLedgerSnapshot } from '../audit.ts';
import { chanceOf } from '../seeded-random.ts';
import { runBuyers, lookAgain, sleep } from '../crowd.ts';
import { openServerUnderTest, type DatabaseKind, type ProcessUnderTest } from '../server-under-test.ts';
import { ways } from '../ways.ts';
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

const look = (shop: ProcessUnderTest) =>
  status(shop, orders.path, shop.customers.get('lumen')?.[0]?.token ?? '', { page: 1, size: 5 });

/** Fills the disk while people buy, looks what they are told, and makes room again. */
async function fillUp(shop: ProcessUnderTest, disk: SmallDisk, say: (line: string) => void): Promise<void> {
  const { pid } = shop.server;
  disk.fill();
  const seen = new Map<string, number>();
  const end = performance.now() + fullMs;
  while (performance.now() < end) {
    for (const [what, told] of [['login', await logIn(shop)] as const, ['orders', await look(shop)] as const]) {
      seen.set(`${what} ${told}`, (seen.get(`${what} ${told}`) ?? 0) + 1);
    }
    await sleep(100);
  }
  say(`${disk.free()} bytes free: ${[...seen].map(([what, count]) => `${what} x ${count}`).join(', ')}`);
  disk.empty();
  const started = performance.now();
  let back = false;
  while (!back) back = (await logIn(shop)) === 401 && (await look(shop)) === 200;
  say(`goes on ${((performance.now() - started) / 1000).toFixed(1)} s after there is room again`);
  if (shop.server.pid !== pid) throw new Error('the process has ended');
  const broken = [...seen.keys()].filter((one) => !/ (200|401|503)$/.test(one));
  if (broken.length > 0) throw new Error(`not refused with words: ${broken.join(', ')}`);
}

async function prove(kind: DatabaseKind, disk: SmallDisk, say: (line: string) => void): Promise<void> {
  const shop = await openServerUnderTest(kind, { customers: atOnce, brands, reconcileAfterSeconds: 2 });
  try {
    const proved = ways.filter(({ method }) => method !== 'transfer');
    const { promise: someHaveBegun, resolve: tell } = Promise.withResolvers<void>();
    const goesOn = (begun: number) => {
      if (begun >= before) tell();
      return begun < total;
    };
    const crowd = runBuyers(shop, { proved, chance: chanceOf(11), atOnce, looks: 1000, goesOn });
    await someHaveBegun;
    await fillUp(shop, disk, say);
    const purchases = await crowd;
    await sleep(2500);
    await lookAgain(shop, purchases);
    assertExact(audit(purchases, await shop.stopAndRead(readLedgerSnapshot)), say);
  } finally {
    await shop.close();
  }
}

/** Writes without looking for room until the database panics: what was answered is there when it is opened again. */
async function panic(disk: SmallDisk, say: (line: string) => void): Promise<void> {
  const folder = join(disk.folder, 'data');
  const opened = await openEmbedded(folder, { contents: demonstration, assertRoom: () => {} });
  const rows = Array.from({ length: 200 }, (_, index) => ({ key: `row ${index}`, count: 0, resetsAt: 1 }));
  await opened.db.insert(throttles).values(rows);
  // the tables have room to grow, a new piece of the log has none
  disk.fill(4_000_000);
  let answered = 0;
  const write = (db: Database = opened.db) => db.update(throttles).set({ count: sql`${throttles.count} + 1` });
  const told: unknown = await (async () => {
    for (;;) {
      // every other one within a transaction, which ends by a statement of its own
      await (answered % 2 === 0 ? write() : opened.db.transaction((tx) => write(tx)));
      answered += 1;
    }
  })().catch((error: unknown) => error);
  const after: unknown = await write().catch((error: unknown) => error);
  say(`${answered} writes answered, then: ${causeOf(told)}; after that: ${causeOf(after)}`);
  await opened.close();
  disk.empty();
  const again = await openEmbedded(folder, { contents: demonstration });
  const [row] = await again.db.select({ count: throttles.count }).from(throttles).limit(1);
  await again.close();
  if (row?.count !== answered) throw new Error(`${answered} writes were answered, and ${row?.count} are there`);
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? error.cause.message : error.message;
}

export const attack: Attack = {
  holds: 'on a full disk nothing that was answered is lost, people are told, and all goes on when there is room',
  run: async (say) => {
    for (const kind of ['embedded', 'postgres'] as const) {
      const disk = mountSmallDisk(256);
      if (!disk) return say('not run: this machine does not let us mount a small disk; run it as root');
      const usual = process.env['TMPDIR'];
      process.env['TMPDIR'] = disk.folder;
      try {
        say(kind);
        await prove(kind, disk, say);
        if (kind === 'embedded') await panic(disk, say);
      } finally {
        if (usual === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = usual;
        disk.remove();
      }
    }
  },
};
