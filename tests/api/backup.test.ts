import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login, pay, queryInfo } from '#contract/index.ts';
import { openEmbedded } from '#server/db/connect.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { noticeSecret, signatureHeader, timestampHeader } from '#sandbox/gateway/protocol.ts';
import { signNotice } from '#server/payments/notice-signature.ts';
import { demonstration } from '#sandbox/demonstration.ts';
import { sandboxCharges } from '#sandbox/schema.ts';
import { aNotice } from '#tests/builders/a-notice.ts';
import { give, type Said } from '#tests/builders/a-desk.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';
import { cards, quoteByCard, registerCustomer, type Customer } from '#tests/fixtures/customer.ts';
import { freePort } from '#tests/fixtures/free-port.ts';
import { messageTo } from '#tests/fixtures/outbox.ts';
import { startPostgres } from '#tests/fixtures/postgres.ts';
import { buyRenewing, dayMs } from '#tests/fixtures/renewing.ts';
import { startServer, type ServerProcess } from '#tests/fixtures/server-process.ts';
import { callShop } from '#tests/fixtures/shop-api.ts';

const SIGNING_SECRET = 'a secret of the tests that is long enough';
const why = '--why=disk is gone';

/** A bank that outlives the shop, as real ones do, and a shop whose clock can be moved. */
let bank: TestApp;
let wire: Server;
let shop: ServerProcess;
let aheadMs = 0;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-backup-'));
  file = join(folder, 'shop.backup');
  bank = await testApp({ env: { SIGNING_SECRET } });
  bank.clock.now = Date.now();
  const port = await freePort();
  const answer = getRequestListener(async (request) => bank.app.fetch(request));
  wire = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');
  const SANDBOX_WIRE = `http://127.0.0.1:${port}`;
  shop = await startServer({ env: { SIGNING_SECRET, SANDBOX_WIRE }, movableClock: true });
}, 150_000);
afterAll(async () => {
  await shop?.dispose();
  wire?.closeAllConnections();
  wire?.close();
  await bank?.close();
  rmSync(folder, { recursive: true, force: true });
});

const order = (...args: string[]): Promise<Said> =>
  give(args, { DATA_DIR: shop.dataDir, SIGNING_SECRET }, () => Date.now() + aheadMs);

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

async function paidOrders({ account }: Customer): Promise<number> {
  const { facts } = await order('orders', 'find', account, '--json');
  return facts.filter(({ status }) => status === 'PAYMENT_SUCCEEDED').length;
}

const eventually = (what: () => Promise<number>, number: number) =>
  expect.poll(what, { timeout: 40_000, interval: 300 }).toBe(number);

describe('a shop that is restored from a backup', () => {
  const keyOfCara = crypto.randomUUID();
  let ana: Customer;
  let cara: Customer;

  it('is written to a file while it sells, for its owner alone, and never over another one', async () => {
    ana = await registerCustomer(shop.origin);
    cara = await registerCustomer(shop.origin);
    await buyRenewing(ana);
    const said = await order('backup', file, '--why=nightly', '--json');
    expect(said.code).toBe(0);
    expect(said.facts).toMatchObject([{ sandbox: true, customers: 2, orders: 1, ledger: 1, renewals: 1 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const manifest = readFileSync(file).subarray(0, 2000).toString('latin1').split('\n')[0] ?? '';
    expect(JSON.parse(manifest)).toMatchObject({ format: 'marquee backup 1' });
    expect(manifest).toContain('"lumen"');
    expect(readFileSync(file).includes(SIGNING_SECRET)).toBe(false);
    expect((await order('backup', file, why)).told).toContain('EEXIST');
    expect(await paidOrders(ana)).toBe(1);
  });

  it('goes on selling meanwhile, and charges the month that follows', async () => {
    await payAs(cara, keyOfCara);
    await passDays(23);
    const isNotice = ({ subject }: { subject: string }) => subject.startsWith('Your plan renews on');
    await messageTo(shop.origin, ana.account, isNotice);
    await passDays(7);
    await eventually(() => paidOrders(ana), 2);
  });

  it('is not made of a file that was torn or changed, of one by a newer version, or over a shop that runs', async () => {
    const whole = readFileSync(file);
    const torn = join(folder, 'torn.backup');
    const refusedWith = async (bytes: Uint8Array) => {
      writeFileSync(torn, bytes);
      const said = await order('restore', torn, why, '--yes');
      expect(said.code).toBe(1);
      return said.told;
    };
    expect(await refusedWith(whole.subarray(0, whole.byteLength - 7))).toContain('bytes where');
    const changed = Buffer.from(whole);
    changed.writeUInt8((changed.at(-100) ?? 0) ^ 1, changed.byteLength - 100);
    expect(await refusedWith(changed)).toContain('checksum');
    expect(await refusedWith(Buffer.from('PGDMP'))).toContain('does not begin');
    const end = whole.indexOf(10);
    const manifest = JSON.parse(whole.subarray(0, end).toString()) as object; // as: written by packBackup
    const as = (facts: object) =>
      Buffer.concat([Buffer.from(JSON.stringify({ ...manifest, ...facts })), whole.subarray(end)]);
    expect(await refusedWith(as({ schema: 9e15 }))).toContain('newer version');
    expect(await refusedWith(as({ sandbox: false }))).toContain('shop for customers');
    expect(await refusedWith(whole)).toContain('stop the shop first');
    expect(await paidOrders(ana)).toBe(2);
    await shop.stop();
    const unsaid = await order('restore', file, why);
    expect([unsaid.code, unsaid.told]).toEqual([1, expect.stringContaining('--yes')]);
  });

  it('charges nobody again who was charged since, and knows that they have paid', async () => {
    const restored = await order('restore', file, why, '--yes', '--json');
    expect(restored.facts).toMatchObject([{ heldRenewals: 1, sessions: 2 }]);
    expect(restored.told).toContain('held and asked about');
    await shop.restart();
    await expect(ana.call(queryInfo, { body: { uid: ana.uid, account: ana.account, type: 'email' } })).rejects.toThrow(
      'refused',
    );
    await shop.passTime(30 * dayMs);
    await eventually(() => paidOrders(ana), 2);
    expect((await order('renewals', 'held', '--json')).facts).toEqual([]);
  }, 90_000);

  it('meets the first charge when a customer sends a purchase again that it has forgotten', async () => {
    expect(await paidOrders(cara)).toBe(0);
    const { account, password } = cara;
    const { token } = await callShop(shop.origin, login, { body: { account, password, type: 'email' } });
    const again: Customer = {
      ...cara,
      call: (endpoint, input, options) => callShop(shop.origin, endpoint, input, { token, ...options }),
    };
    expect(await payAs(again, keyOfCara)).toMatchObject({ status: 'PAYMENT_SUCCEEDED' });
  });

  it('keeps what a provider tells of a payment that it does not know', async () => {
    const key = crypto.randomUUID();
    const body = JSON.stringify(aNotice(key));
    const at = Date.now() + aheadMs;
    const secret = noticeSecret({ SIGNING_SECRET });
    const headers = { [timestampHeader]: String(at), [signatureHeader]: signNotice(secret, at, body) };
    const told = await fetch(`${shop.origin}/webhooks/sandbox`, { method: 'POST', body, headers });
    expect(told.status).toBe(200);
    expect((await order('orders', 'unknown', '--json')).facts).toMatchObject([
      { gateway: 'sandbox', kind: 'charge', key, amount: 1990, currency: 'BRL' },
    ]);
  });

  it('has the books that the bank has, and says who restored it', async () => {
    const { facts } = await order('audit', 'list', '--json');
    expect(facts.map(({ command }) => command)).toEqual(['restore']);
    await shop.stop();
    const ours = await openEmbedded(shop.dataDir, { contents: demonstration });
    const captures = await ours.db.select({ key: ledger.attemptId }).from(ledger);
    await ours.close();
    const charges = await bank.db.select().from(sandboxCharges).where(eq(sandboxCharges.status, 'paid'));
    expect(captures.map(({ key }) => key).sort()).toEqual(charges.map(({ key }) => key).sort());
    expect(charges).toHaveLength(3);
  });
});

it('on PostgreSQL names its tools, and settles what they have put back', async () => {
  const postgres = await startPostgres({ filled: true });
  const at = (...args: string[]) => give(args, { DATABASE_URL: postgres.url, SIGNING_SECRET });
  try {
    expect(await at('backup', file, why)).toMatchObject({
      code: 1,
      told: expect.stringContaining('pg_dump') as string,
    });
    expect((await at('restore', file, why)).told).toContain('pg_restore');
    expect((await at('restored', '--backup-at=2126-01-01T00:00:00Z', why)).code).toBe(2);
    const settled = await at('restored', '--backup-at=2026-11-01T00:00:00Z', why, '--json');
    expect(settled).toMatchObject({ code: 0, facts: [{ sessions: 0, messages: 0, heldRenewals: 0, toldAgain: 0 }] });
    expect((await at('audit', 'list', '--json')).facts).toMatchObject([{ command: 'restore' }]);
  } finally {
    await postgres.stop();
  }
}, 90_000);
