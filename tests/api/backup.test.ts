import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login, pay, queryInfo } from '#contract/index.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '#sandbox/gateway/protocol.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { demoContents } from '#sandbox/demo-contents.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { aNotice } from '#tests/builders/a-notice.ts';
import { give, type Said } from '#tests/builders/an-operator-demo.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { cards, quoteByCard, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { ask, inDatabase, startPostgres } from '#tests/fixtures/postgres.ts';
import { buyRenewing, dayMs } from '#tests/fixtures/renewing.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';
import { startShopOnPostgres, type ShopOnPostgres } from '#tests/fixtures/shop-on-postgres.ts';

const SIGNING_SECRET = 'a secret of the tests that is long enough';
const why = '--why=disk is gone';

/** A bank that keeps running while the shop is restored, as real ones do, and a shop with a movable clock. */
let bank: TestApp;
let bankServer: Server;
let shop: ShopOnPostgres;
let aheadMs = 0;
let backupAt = 0;
beforeAll(async () => {
  bank = await testApp({ env: { SIGNING_SECRET } });
  bank.clock.now = Date.now();
  const port = await freePort();
  const answer = getRequestListener(async (request) => bank.app.fetch(request));
  bankServer = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');
  const SANDBOX_WIRE = `http://127.0.0.1:${port}`;
  shop = await startShopOnPostgres({ env: { SIGNING_SECRET, SANDBOX_WIRE }, movableClock: true });
}, 150_000);
afterAll(async () => {
  if (backupAt > 0) await administer((name) => `drop database ${name}_backup`);
  await shop?.dispose();
  bankServer?.closeAllConnections();
  bankServer?.close();
  await bank?.close();
});

/** Backs up and restores with SQL, because pg_dump must be at least as new as the server. */
const administer = (statement: (name: string) => string) =>
  ask(new URL('/postgres', shop.database).href, statement(new URL(shop.database).pathname.slice(1)));

const operate = (...args: string[]): Promise<Said> =>
  give(args, { DATABASE_URL: shop.database, SIGNING_SECRET }, { clock: () => Date.now() + aheadMs });

async function passDays(days: number): Promise<void> {
  await shop.passTime(days * dayMs);
  aheadMs += days * dayMs;
}

async function payAs(customer: Customer, key: string) {
  const quoted = await quoteByCard(customer, '101');
  const card = { number: cards.paid, expiry: '12/39', code: '123', holderFirstName: 'Ana', holderLastName: 'Souza' };
  const payer = { firstName: 'Ana', lastName: 'Souza', document: '52998224725', phone: '11987654321' };
  const rest = { installments: 1, card, payer, returnUrl: '/paymentResult', source: 'WEB' } as const;
  return customer.call(pay, { body: { ...quoted, ...rest } }, { idempotencyKey: key });
}

async function paidOrderIds({ account }: Customer): Promise<readonly unknown[]> {
  const { facts } = await operate('orders', 'find', account, '--json');
  return facts.filter(({ status }) => status === 'PAYMENT_SUCCEEDED').map(({ orderId }) => orderId);
}

const paidOrders = async (customer: Customer): Promise<number> => (await paidOrderIds(customer)).length;

const expectEventually = (read: () => Promise<number>, expected: number) =>
  expect.poll(read, { timeout: 40_000, interval: 300 }).toBe(expected);

describe('a shop that is restored from a backup', () => {
  const keyOfCara = crypto.randomUUID();
  let ana: Customer;
  let cara: Customer;
  let idsBefore: readonly unknown[] = [];

  it('has been backed up with its customers, orders and renewals', async () => {
    ana = await registerCustomer(shop.origin);
    cara = await registerCustomer(shop.origin);
    await buyRenewing(ana);
    await shop.stop();
    await administer((name) => `create database ${name}_backup template ${name}`);
    backupAt = Date.now();
    await shop.restart();
    expect(await paidOrders(ana)).toBe(1);
  });

  it('sells after the backup and charges the next month', async () => {
    await payAs(cara, keyOfCara);
    await passDays(23);
    const isNotice = ({ subject }: { subject: string }) => subject.startsWith('Your plan renews on');
    await messageTo(shop.origin, ana.account, isNotice);
    await passDays(7);
    await expectEventually(() => paidOrders(ana), 2);
    idsBefore = await paidOrderIds(ana);
  });

  it('charges no customer again who was charged since the backup, and records the payment', async () => {
    const at = `--backup-at=${new Date(backupAt).toISOString()}`;
    const tooEarly = await operate('restored', at, why);
    expect([tooEarly.code, tooEarly.told]).toEqual([
      1,
      expect.stringMatching(/^The shop runs on this database, with 1 pr/),
    ]);
    await shop.stop();
    await administer((name) => `drop database ${name} with (force)`);
    await administer((name) => `create database ${name} template ${name}_backup`);
    const restored = await operate('restored', at, why, '--json');
    expect(restored.facts).toMatchObject([{ heldRenewals: 1, sessions: 2 }]);
    expect(restored.told).toContain('suspended and queried');
    await shop.restart();
    await expect(ana.call(queryInfo, { body: { uid: ana.uid, account: ana.account, type: 'email' } })).rejects.toThrow(
      'refused',
    );
    await shop.passTime(30 * dayMs);
    await expectEventually(() => paidOrders(ana), 2);
    expect((await operate('renewals', 'held', '--json')).facts).toEqual([]);
    // the receipt is sent again, and another number would look like a second charge
    expect(await paidOrderIds(ana)).toEqual(idsBefore);
  }, 90_000);

  it('finds the first charge when a customer repeats a purchase that the backup does not contain', async () => {
    expect(await paidOrders(cara)).toBe(0);
    const { account, password } = cara;
    const { token } = await callShop(shop.origin, login, { body: { account, password, type: 'email' } });
    const again: Customer = {
      ...cara,
      call: (endpoint, input, options) => callShop(shop.origin, endpoint, input, { token, ...options }),
    };
    expect(await payAs(again, keyOfCara)).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
  });

  it('stores a notice of a provider about an unknown payment', async () => {
    const key = crypto.randomUUID();
    const body = JSON.stringify(aNotice(key));
    const at = Date.now() + aheadMs;
    const secret = noticeSecret({ SIGNING_SECRET });
    const headers = { [timestampHeader]: String(at), [signatureHeader]: signNotice(secret, at, body) };
    const response = await fetch(`${shop.origin}/webhooks/sandbox`, { method: 'POST', body, headers });
    expect(response.status).toBe(200);
    expect((await operate('orders', 'unknown', '--json')).facts).toMatchObject([
      { gateway: 'sandbox', kind: 'charge', key, amount: { amount: 1990, currency: 'BRL' } },
    ]);
  });

  it('has the same payments as the bank, and records the restore', async () => {
    const { facts } = await operate('audit', 'list', '--json');
    expect(facts.map(({ command }) => command)).toEqual(['restored']);
    await shop.stop();
    const captures = await inDatabase(
      shop.database,
      (db) => db.select({ key: ledger.attemptId }).from(ledger),
      demoContents,
    );
    const charges = await bank.db.select().from(sandboxCharges).where(eq(sandboxCharges.status, 'paid'));
    expect(captures.map(({ key }) => key).sort()).toEqual(charges.map(({ key }) => key).sort());
    expect(charges).toHaveLength(3);
  });
});

it('a backup time in the future is refused, and an empty shop has nothing to settle', async () => {
  const postgres = await startPostgres({ filled: true });
  const at = (...args: string[]) => give(args, { DATABASE_URL: postgres.url, SIGNING_SECRET });
  try {
    expect((await at('restored', '--backup-at=2126-01-01T00:00:00Z', why)).code).toBe(2);
    const settled = await at('restored', '--backup-at=2026-11-01T00:00:00Z', why, '--json');
    expect(settled).toMatchObject({ code: 0, facts: [{ sessions: 0, messages: 0, heldRenewals: 0, toldAgain: 0 }] });
    expect((await at('audit', 'list', '--json')).facts).toMatchObject([{ command: 'restored' }]);
  } finally {
    await postgres.stop();
  }
}, 90_000);
