import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { type Database, statementRows } from '#server/db/connect.ts';
import { openPostgres } from '#server/db/open-database.ts';
import { brands } from '#server/db/schema/brands.ts';
import { openProduction, readAllSettings } from '#server/runtime/wiring/open-production.ts';
import { readSettings } from '#server/env.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { createLog } from '#server/runtime/log.ts';
import { aBrand } from '#tests/builders/a-brand.ts';
import { insertCustomers } from '#tests/builders/a-customer.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';
import { productionEnv, startServer } from '#tests/fixtures/server-process.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';

const done: (() => unknown)[] = [];
afterEach(async () => {
  for (const clear of done.splice(0).toReversed()) await clear();
});

const aDatabase = async () => {
  const { url, stop } = await startPostgres();
  done.push(stop);
  return url;
};
const start = async (env: Record<string, string>) => {
  const server = await startServer({ env });
  done.push(() => server.dispose());
  return server;
};
const ask = async (port: number, host: string, path: string) => {
  const outgoing = request({ host: '127.0.0.1', port, path, headers: { host } }).end();
  // as: `response` has exactly one argument
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer) };
};
const sandboxPaths = [
  '/sandbox/google/jwks',
  '/sandbox/google/authorize',
  '/sandbox/desk',
  '/sandbox/bank/mobile/5511999990000',
  '/sandbox/paypal/checkoutnow?token=X',
  '/sandbox/captcha/api.js',
  '/sandbox/push/subscribe',
  '/dev/push.json',
  '/dev/outbox',
  '/dev/outbox.json',
];

describe('a production server', { timeout: 120_000 }, () => {
  it('does not start unless the sandbox is explicitly on or off', async () => {
    const env = { NODE_ENV: '', SANDBOX: '', PUBLIC_ORIGIN: 'https://shop.example' };
    await expect(startServer({ env })).rejects.toThrow('SANDBOX: must be set, because PUBLIC_ORIGIN');
  });

  it('lists all missing settings with their variable and value, and creates nothing', async () => {
    const DATA_DIR = join(tmpdir(), `marquee-${crypto.randomUUID()}`);
    // this is enough to be production
    const started = startServer({ env: { SANDBOX: '', METRICS_TOKEN: 'short', DATA_DIR } });
    const message = await started.then(String, String);
    expect(message).toMatch(/METRICS_TOKEN: must have 16 characters/);
    expect(message).toMatch(/DATABASE_URL: set it to a PostgreSQL 15 or newer, postgres:/);
    expect(message).toMatch(/SMTP_URL: set it to smtp:/);
    expect(message).toMatch(/SIGNING_SECRET: set it to 32 or more random bytes/);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('does not start on the formerly embedded database, and names the new setting', async () => {
    const env = { ...productionEnv, EMBEDDED_DATABASE: 'true' };
    const message = await startServer({ env }).then(String, String);
    expect(message).toMatch(
      /EMBEDDED_DATABASE: is no longer supported; remove it and set DATABASE_URL to a PostgreSQL/,
    );
    expect(message).toMatch(/DATABASE_URL: set it to a PostgreSQL 15 or newer/);
  });

  it('lists exactly the missing settings by name', async () => {
    const DATABASE_URL = await aDatabase();
    await inDatabase(DATABASE_URL, (db) => aBrand(db));
    const lines = async (changes: Record<string, string>) => {
      const opening = async () => openProduction(readAllSettings({ ...productionEnv, DATABASE_URL, ...changes }));
      const message = await opening().then(String, String);
      return message.split('\n').flatMap((line) => /^ {2}([\w ]+): \S/.exec(line)?.[1] ?? []);
    };
    expect(await lines({ DATABASE_URL: '' })).toEqual(['DATABASE_URL', 'brand']);
    expect(await lines({ SMTP_URL: '' })).toEqual(['SMTP_URL']);
    expect(await lines({ SIGNING_SECRET: '' })).toEqual(['SIGNING_SECRET']);
    expect(await lines({ SIGNING_SECRET: 'x'.repeat(31) })).toEqual(['SIGNING_SECRET']);
    expect(await lines({ METRICS_TOKEN: '' })).toEqual(['METRICS_TOKEN']);
    expect(await lines({ TRUST_PROXY: 'true' })).toEqual(['TRUST_PROXY']);
    expect(await lines({ TRUST_PROXY: '' })).toEqual(['origin of acme']);
    expect(await lines({ STRIPE_SECRET_KEY: 'sk_test_0123456789' })).toEqual(['STRIPE_WEBHOOK_SECRET']);
    expect(await lines({ SMTP_URL: '', METRICS_TOKEN: '', TRUST_PROXY: '' })).toEqual([
      'SMTP_URL',
      'METRICS_TOKEN',
      'origin of acme',
    ]);
  });

  it('does not start without a brand, https or a reachable database', async () => {
    const DATABASE_URL = await aDatabase();
    const refused = async (env: Record<string, string>) =>
      // a folder without the secret of an earlier demo
      openProduction(readSettings({ ...productionEnv, DATA_DIR: '.cache/no-data', DATABASE_URL, ...env })).then(
        String,
        String,
      );
    const bare = await refused({ SMTP_URL: '', SIGNING_SECRET: '' });
    expect(bare).toMatch(/SMTP_URL: set/);
    expect(bare).toMatch(/SIGNING_SECRET: set it to 32 or more random bytes/);
    expect(bare).toMatch(/brand: the database has no brand; write one with `npm run operator -- brand new/);
    await inDatabase(DATABASE_URL, (db) => aBrand(db));
    expect(await refused({ TRUST_PROXY: '' })).toMatch(
      /origin of acme: the brand acme is at http:\/\/acme\.test; set it/,
    );
    const plain = { TRUST_PROXY: '', DEFAULT_BRAND: 'acme', PUBLIC_ORIGIN: 'http://acme.example' };
    expect(await refused(plain)).toMatch(/PUBLIC_ORIGIN: the brand acme is at http:\/\/acme\.example; set this/);
    const unreachable = await refused({
      DATABASE_URL: 'postgres://shop:a-password@127.0.0.1:1/shop',
      METRICS_TOKEN: '',
    });
    expect(unreachable).toMatch(/METRICS_TOKEN: set/);
    expect(unreachable).toMatch(/DATABASE_URL: the database cannot be used: nothing listens at/);
    expect(unreachable).not.toContain('a-password');
  });

  it('serves its own brand, nothing simulated on any host, and logs the methods without a gateway', async () => {
    const DATABASE_URL = await aDatabase();
    await inDatabase(DATABASE_URL, (db) => aBrand(db));
    const captcha = { SANDBOX_CAPTCHA: 'true', SANDBOX_PUBLIC: 'true', CAPTCHA_ORIGIN: 'http://captcha.test' };
    const { port, output, stop } = await start({ ...productionEnv, ...captcha, DATABASE_URL, EXTRA_HOSTS: 'tv.test' });
    const origin = `http://acme.test:${port}`;
    expect((await callShop(origin, endpoints.theme, {})).name).toBe('ACME');
    expect((await callShop(origin, endpoints.currencyList, {})).map(({ code }) => code)).toEqual(['SGD', 'CNY']);
    expect((await ask(port, 'acme.test', '/pricing-table')).status).toBe(200);
    expect((await ask(port, 'tv.test', '/pricing-table')).status).toBe(421);
    for (const host of ['acme.test', 'captcha.test', 'localhost', 'lumen.localhost', 'nobody.example']) {
      for (const sandboxPath of sandboxPaths)
        expect((await ask(port, host, sandboxPath)).status, host + sandboxPath).toBe(404);
      if (host !== 'acme.test') expect((await ask(port, host, '/')).status, host).toBe(421);
      expect((await ask(port, host, '/readyz')).text).toBe('ready');
    }
    await expectNothingSimulated(origin);
    // without SMS, a phone number cannot sign up, and can log in with a password
    expect((await ask(port, 'acme.test', '/register')).text).not.toContain('name="tab"');
    expect((await ask(port, 'acme.test', '/login')).text).toContain('name="tab"');
    expect(output()).toContain('DEFAULT_BRAND is lumen, and there is no such brand');
    expect(output()).toContain('ACME does not offer these, because no gateway can charge them: card (useepay), paypal');
    expect(output()).toContain('No SMS can be sent');
    expect(output()).not.toMatch(/Sandbox cards|dev\/outbox/i);
    await stop();
    await inDatabase(DATABASE_URL, async (db) => {
      expect((await db.select().from(brands)).map(({ code }) => code)).toEqual(['acme']);
      const tables = await statementRows(db, sql`select tablename from pg_tables where tablename like 'sandbox%'`);
      expect(tables).toEqual([]);
    });
  });

  it('does not serve the demo brands in its database', async () => {
    const DATABASE_URL = await aDatabase();
    await inDatabase(DATABASE_URL, () => Promise.resolve(), demoContents);
    await expect(startServer({ env: { ...productionEnv, DATABASE_URL } })).rejects.toThrow(
      'brand: the database has no brand',
    );
    await inDatabase(DATABASE_URL, (db) => aBrand(db));
    const { port, output } = await start({ ...productionEnv, DATABASE_URL });
    for (const host of ['localhost', '127.0.0.1', 'mego.localhost']) {
      expect((await ask(port, host, '/api/site/theme/v1')).status, host).toBe(421);
      expect((await ask(port, host, '/pricing-table')).status, host).toBe(421);
    }
    expect(output()).toMatch(/Not served, because they are demo brands and SANDBOX is off: Baobab, Lumen, Mego\./);
  });

  it('does not start if a brand has simulated payments', async () => {
    const DATABASE_URL = await aDatabase();
    const pay = async (db: Database) => {
      await aBrand(db);
      await simulatePayment(db, 'acme');
    };
    await inDatabase(DATABASE_URL, pay, demoContents);
    const started = startServer({ env: { ...productionEnv, DATABASE_URL } });
    await expect(started).rejects.toThrow('The brand acme was used with SANDBOX on');
  });

  it('behaves the same on PostgreSQL', { tags: 'slow' }, async () => {
    const DATABASE_URL = await aDatabase();
    const real = { ...productionEnv, DATABASE_URL };
    await expect(startServer({ env: real })).rejects.toThrow('brand: the database has no brand');
    // with the demo brands, as after running with the sandbox
    const opened = await openPostgres(DATABASE_URL, createLog('silent'), { contents: demoContents });
    done.push(opened.close);
    await aBrand(opened.db);
    const second = await start(real);
    expect((await callShop(`http://acme.test:${second.port}`, endpoints.theme, {})).name).toBe('ACME');
    expect((await ask(second.port, 'localhost', '/')).status).toBe(421);
    for (const sandboxPath of sandboxPaths)
      expect((await ask(second.port, 'acme.test', sandboxPath)).status, sandboxPath).toBe(404);
    await simulatePayment(opened.db, 'lumen');
    await (await start(real)).stop();
    await simulatePayment(opened.db, 'acme');
    await expect(startServer({ env: real })).rejects.toThrow('simulated payments');
  });
});

/** Checks over HTTP that Google, captcha, SMS and demo coupons are not available. */
async function expectNothingSimulated(origin: string): Promise<void> {
  expect(await callShop(origin, endpoints.googleClient, {})).toEqual({ clientId: '', authorizationEndpoint: '' });
  expect(await callShop(origin, endpoints.siteKey, {})).toEqual({ key: '', frame: '' });
  expect(await callShop(origin, endpoints.supportPhone, {})).toMatchObject({ supported: true, sms: false });
  const number = { account: '81234567', type: 'phone', areaCode: '65', language: 'en' } as const;
  const code = { ...number, scene: 'signup' } as const;
  const customer = { account: 'ana@example.com', password: 'secret-123', agreePolicy: true, language: 'en' } as const;
  await expect(callShop(origin, endpoints.sendVerificationCode, { body: code })).rejects.toThrow('4598');
  const byPhone = { ...customer, ...number };
  await expect(callShop(origin, endpoints.signup, { body: byPhone })).rejects.toThrow('4598');
  const { token } = await callShop(origin, endpoints.signup, { body: customer });
  const wish = { planId: '201', methodCode: 'paynow', currency: 'SGD', discountCode: 'WELCOME10' };
  await expect(callShop(origin, endpoints.goodsValuation, { body: wish }, { token })).rejects.toThrow('9001');
}

/** Writes the rows of a sandbox payment. */
async function simulatePayment(db: Database, brand: string): Promise<void> {
  const [customer] = await insertCustomers(db, brand, 1, Date.now());
  const { order, attempt } = await anOrder(db, { brand, uid: customer?.uid ?? '' }, { status: 'PAYMENT_SUCCEEDED' });
  const { id: key, amount, currency } = attempt;
  const charge = { key, kind: 'card', brand, amount, currency, status: 'paid', publicId: key, returnUrl: '/' } as const;
  await db.insert(sandboxCharges).values({ ...charge, createdAt: order.createdAt });
  await db.execute(
    `insert into ledger (id, brand, order_id, attempt_id, kind, amount, currency, at)
      values ('${key}', '${brand}', '${order.orderId}', '${key}', 'capture', ${amount}, '${currency}', 0)`,
  );
}
