import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import * as endpoints from '../../../src/contract/index.ts';
import { leaveEmpty, openEmbedded, openPostgres, type Database } from '../../../src/server/db/connect.ts';
import { brands, sandboxCharges } from '../../../src/server/db/schema.ts';
import { createLog } from '../../../src/server/log.ts';
import { aBrand } from '../../builders/a-brand.ts';
import { putCustomers } from '../../builders/a-customer.ts';
import { anOrder } from '../../builders/an-order.ts';
import { startPostgres } from '../../fixtures/postgres.ts';
import { startServer } from '../../fixtures/server-process.ts';
import { callShop } from '../../fixtures/shop-api.ts';

const done: (() => unknown)[] = [];
afterEach(async () => {
  for (const clear of done.splice(0).toReversed()) await clear();
});

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-real-'));
  done.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const start = async (env: Record<string, string>) => {
  const server = await startServer({ env });
  done.push(() => server.dispose());
  return server;
};
const ask = async (port: number, host: string, path: string) => {
  const asked = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
  // as: `response` carries exactly one message
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer) };
};
const inFolder = async <T>(folder: string, work: (db: Database) => Promise<T>): Promise<T> => {
  const { db, close } = await openEmbedded(folder, { fill: leaveEmpty });
  try {
    return await work(db);
  } finally {
    await close();
  }
};
const doors = ['/sandbox/google/jwks', '/sandbox/desk', '/sandbox/captcha/api.js', '/dev/outbox', '/dev/outbox.json'];

describe('a shop with customers', { timeout: 120_000 }, () => {
  it('does not start before it is said whether its sandbox is on', async () => {
    const env = { SANDBOX: '', PUBLIC_ORIGIN: 'https://shop.example' };
    await expect(startServer({ env })).rejects.toThrow('SANDBOX: must be said, because PUBLIC_ORIGIN');
  });

  it('begins with no brand, answers its probes, says so, and has nothing of the sandbox on any host', async () => {
    const DATA_DIR = aFolder();
    const { port, output, stop } = await start({ SANDBOX: 'false', DATA_DIR });
    for (const host of ['localhost', 'lumen.localhost', 'mego.localhost', 'nobody.example']) {
      for (const door of doors) expect((await ask(port, host, door)).status, host + door).toBe(404);
      expect((await ask(port, host, '/')).status).toBe(421);
      expect((await ask(port, host, '/healthz')).text).toBe('ok');
      expect((await ask(port, host, '/readyz')).text).toBe('ready');
    }
    expect(output()).toContain('There is no brand yet');
    expect(output()).not.toMatch(/Sandbox cards|lumen/i);
    await stop();
    expect(await inFolder(DATA_DIR, (db) => db.select().from(brands))).toEqual([]);
  });

  it('serves a brand of its own, and tells what nobody can charge and where nothing leads', async () => {
    const DATA_DIR = aFolder();
    await inFolder(DATA_DIR, (db) => aBrand(db));
    const { port, output } = await start({ SANDBOX: 'false', DATA_DIR, EXTRA_HOSTS: 'tv.test' });
    const origin = `http://acme.test:${port}`;
    expect((await callShop(origin, endpoints.theme, {})).name).toBe('ACME');
    expect((await callShop(origin, endpoints.currencyList, {})).map(({ code }) => code)).toEqual(['SGD', 'CNY']);
    expect((await ask(port, 'acme.test', '/pricing-table')).status).toBe(200);
    expect((await ask(port, 'tv.test', '/pricing-table')).status).toBe(421);
    for (const door of doors) expect((await ask(port, 'acme.test', door)).status, door).toBe(404);
    expect(output()).toContain('DEFAULT_BRAND is lumen, and there is no such brand');
    expect(output()).toContain('ACME does not offer these, because no gateway can charge them: card (useepay), paypal');
    expect(output()).toContain('No mail leaves this machine');
  });

  it('does not serve the demonstration that its folder holds', async () => {
    const DATA_DIR = aFolder();
    const demo = await start({ DATA_DIR });
    expect((await ask(demo.port, 'localhost', '/api/site/theme/v1')).text).toContain('Lumen');
    await demo.stop();
    const { port, output } = await start({ SANDBOX: 'false', DATA_DIR });
    for (const host of ['localhost', '127.0.0.1', 'mego.localhost']) {
      expect((await ask(port, host, '/api/site/theme/v1')).status, host).toBe(421);
      expect((await ask(port, host, '/pricing-table')).status, host).toBe(421);
    }
    expect(output()).toMatch(/Not served, because they belong to the demonstration .* Baobab, Lumen, Mego\./);
  });

  it('does not start over payments of a brand that were only pretended', async () => {
    const DATA_DIR = aFolder();
    await inFolder(DATA_DIR, async (db) => {
      await aBrand(db);
      await pretendPayment(db, 'acme');
    });
    const started = startServer({ env: { SANDBOX: 'false', DATA_DIR } });
    await expect(started).rejects.toThrow('The brand acme was tried with SANDBOX on');
  });

  it('does the same on PostgreSQL', async () => {
    const { url: DATABASE_URL, stop } = await startPostgres();
    done.push(stop);
    const real = { SANDBOX: 'false', DATABASE_URL };
    const first = await start(real);
    expect(first.output()).toContain('There is no brand yet');
    expect((await ask(first.port, 'localhost', '/')).status).toBe(421);
    // with the demonstration's brands in it, as where the sandbox was on
    const opened = await openPostgres(DATABASE_URL, createLog('silent'));
    done.push(opened.close);
    await aBrand(opened.db);
    const second = await start(real);
    expect((await callShop(`http://acme.test:${second.port}`, endpoints.theme, {})).name).toBe('ACME');
    expect((await ask(second.port, 'localhost', '/')).status).toBe(421);
    for (const door of doors) expect((await ask(second.port, 'acme.test', door)).status, door).toBe(404);
    await pretendPayment(opened.db, 'lumen');
    await (await start(real)).stop();
    await pretendPayment(opened.db, 'acme');
    await expect(startServer({ env: real })).rejects.toThrow('only pretended');
  });
});

/** What a payment by the sandbox leaves behind. */
async function pretendPayment(db: Database, brand: string): Promise<void> {
  const [customer] = await putCustomers(db, brand, 1, Date.now());
  const { order, attempt } = await anOrder(db, { brand, uid: customer?.uid ?? '' }, { status: 'PAYMENT_SUCCEEDED' });
  const { id: key, amount, currency } = attempt;
  const charge = { key, kind: 'card', brand, amount, currency, status: 'paid', publicId: key, returnUrl: '/' } as const;
  await db.insert(sandboxCharges).values({ ...charge, createdAt: order.createdAt });
  await db.execute(
    `insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at)
      values ('${key}', '${brand}', '${order.orderId}', '${key}', 'capture', ${amount}, '${currency}', 0)`,
  );
}
