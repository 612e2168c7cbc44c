import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { startJobs } from '#server/jobs/start-jobs.ts';
import { openGateways } from '#server/runtime/wiring/open-gateways.ts';
import { insertCustomers, type SignedIn } from '#tests/builders/a-customer.ts';
import { testApp } from '#tests/builders/test-app.ts';
import { startFaultyWire } from './faulty-wire.ts';
import type { ServerUnderTest } from './server-under-test.ts';
import { sandbox } from '#sandbox/sandbox.ts';

/**
 * Starts the shop in this process with a database in memory, its jobs and the same two faulty proxies, for fast
 * verifications. It needs no build, because it serves no pages.
 */
export async function openShopInProcess({
  customers: each,
  brands,
  reconcileAfterSeconds,
}: {
  customers: number;
  brands: readonly string[];
  reconcileAfterSeconds: number;
}): Promise<ServerUnderTest> {
  const [front, back] = [await startFaultyWire(), await startFaultyWire()];
  const env = {
    SANDBOX_WIRE: `http://localhost:${back.port}`,
    RECONCILE_AFTER_SECONDS: String(reconcileAfterSeconds),
  };
  const clock = Date.now;
  const app = await testApp({ env, deps: (base) => ({ clock, gateways: openGateways({ ...base, clock }, sandbox) }) });
  const answer = getRequestListener(app.app.fetch);
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // as: a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo;
  for (const wire of [front, back]) wire.leadTo(port);
  const stopJobs = startJobs(app.deps, {
    deliverNotices: (deps) => sandbox.deliverNotices(deps, async (notice) => app.app.fetch(notice)),
  });
  const customers = new Map<string, SignedIn[]>();
  for (const brand of brands) customers.set(brand, await insertCustomers(app.db, brand, each, Date.now()));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    front,
    back,
    agent,
    customers,
    server: { port, output: () => '' },
    beside: app.db,
    stopAndRead: async (read) => {
      await stopJobs();
      return read(app.db);
    },
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([front.close(), back.close()]);
      await app.close();
    },
  };
}
