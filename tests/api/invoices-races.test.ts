import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { invoiceCounters } from '#server/db/schema/invoices.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { invoicesOf, issueInvoices } from '#server/billing/invoices/issue-invoices.ts';
import { issueWaitingInvoices } from '#server/jobs/issue-invoices.ts';
import { commands } from '#server/operator/commands.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, type Shop } from '#tests/builders/a-shop.ts';
import { aPayment, invoiceSettings, issuedBy, setInvoices } from '#tests/builders/invoices.ts';
import { fillHistory } from '#tests/builders/many-rows.ts';
import { testApp, testNow } from '#tests/builders/test-app.ts';
import { plannedPostgres } from '#tests/fixtures/plans.ts';
import { openOnPostgres } from '#tests/fixtures/postgres.ts';

describe('the numbers of invoices on a real PostgreSQL', { timeout: 60_000 }, () => {
  let opened: Awaited<ReturnType<typeof openOnPostgres>>;
  let shop: Shop;
  beforeAll(async () => {
    opened = await openOnPostgres();
    shop = await aShop(opened.db);
    await setInvoices(shop.db, invoiceSettings);
  }, 120_000);
  afterAll(() => opened?.close());

  /** Sends a notice until it is accepted, as providers do. */
  async function notify(notice: ReturnType<typeof aNotice>): Promise<void> {
    for (let status = 0; status !== 200;) status = await sendNotice(shop, notice);
  }

  it('have no gap after concurrent payments, refunds, receipts and issues, of which some fail', async () => {
    const buyers = await shop.buyers(40);
    const keys: string[] = [];
    const open = { status: 'PAYMENT_PENDING', attempt: { state: 'PENDING' } } as const;
    const orders = [];
    for (const buyer of buyers) {
      const { order, attempt } = await anOrder(shop.db, buyer, open);
      orders.push(order.orderId);
      keys.push(attempt.id);
    }
    const [early, late] = [keys.slice(0, 20), keys.slice(20)];
    await Promise.all(early.map((key) => notify(aNotice(key))));
    const failing = () =>
      shop.db
        .transaction(async (tx) => {
          await issueInvoices({ ...shop.deps, db: tx }, 'lumen');
          throw new Error('the connection was lost');
        })
        .catch(() => 0);
    const refund = (key: string, index: number) => {
      const part = index % 2 ? { part: { amount: 500, ref: `re_${index}` } } : {};
      return notify(aNotice(key, { event: 'refund', stage: 'succeeded', ...part }));
    };
    await Promise.all([
      ...late.map((key) => notify(aNotice(key))),
      ...early.map(refund),
      ...orders
        .slice(0, 10)
        .map((id, index) => shop.request(endpoints.receiptParties, { params: { id } }, buyers[index])),
      ...Array.from({ length: 6 }, (_, index) => (index % 2 ? failing() : issueWaitingInvoices(shop.deps))),
    ]);
    await Promise.all([issueWaitingInvoices(shop.deps), failing(), issueWaitingInvoices(shop.deps)]);
    const issued = await issuedBy(shop.db);
    const entries = await shop.db.select().from(ledger);
    expect(entries).toHaveLength(60);
    expect(entries.filter(({ invoiceAt }) => invoiceAt !== null)).toEqual([]);
    expect(issued.map(({ sequence }) => sequence)).toEqual(entries.map((_, index) => index + 1));
    expect(new Set(issued.map(({ ledgerId }) => ledgerId)).size).toBe(60);
    expect(await shop.db.select().from(invoiceCounters)).toEqual([{ brand: 'lumen', year: 2026, last: 60 }]);
    const numbers = new Map(issued.map(({ number, sequence }) => [number, sequence]));
    const credits = issued.filter(({ kind }) => kind === 'creditNote');
    expect(credits).toHaveLength(20);
    for (const { corrects, sequence } of credits) expect(numbers.get(corrects ?? '')).toBeLessThan(sequence);
  });

  it('are counted for each brand by itself', async () => {
    await setInvoices(shop.db, { ...invoiceSettings, prefix: 'MEGO' }, 'mego');
    const eva = await shop.buyer({ host: 'mego.localhost' });
    await aPayment(shop, eva, { planId: '201', currency: 'USD' });
    await issueWaitingInvoices(shop.deps);
    expect((await issuedBy(shop.db, 'mego')).map(({ number }) => number)).toEqual(['MEGO-2026-000001']);
  });
});

describe('beside a long history, invoices', { timeout: 120_000 }, () => {
  let opened: Awaited<ReturnType<typeof plannedPostgres>>;
  beforeAll(async () => {
    opened = await plannedPostgres();
    await fillHistory(opened.db, 20_000, testNow);
    await opened.db.execute(
      sql.raw(`insert into invoices (brand, year, sequence, number, kind, ledger_id, order_id, uid, issued_at, country,
        currency, gross, net, tax, rate, tax_name, corrects)
      select brand, 2025, row_number() over (order by at, id), 'OLD-2025-' || row_number() over (order by at, id),
        'invoice', id, order_id, 'many-0', at, 'BR', currency, amount, amount, 0, null, null, null
      from ledger where amount > 0`),
    );
    await opened.db.execute(sql.raw('vacuum analyze'));
  }, 120_000);
  afterAll(() => opened?.close());

  it('are issued, shown and listed without a scan of a large table', async () => {
    const large = await opened.large();
    expect(large).toEqual(expect.arrayContaining(['orders', 'ledger', 'invoices']));
    const shop = await testApp({ db: opened.db });
    await setInvoices(shop.db, invoiceSettings);
    await shop.db.execute(sql.raw(`update ledger set invoice_at = ${testNow} where id in ('many-1', 'refund-1')`));
    await shop.db.execute(sql.raw(`delete from invoices where ledger_id = 'many-1'`));
    const list = commands.find(({ name }) => name === 'invoices list') ?? expect.fail('no command');
    if (!('inShop' in list)) throw new Error('it runs in the shop');
    const rows: unknown[] = [];
    const context = { ...shop, settings: shop.deps.env, clock: shop.deps.clock, json: false };
    const output = { row: (facts: unknown) => void rows.push(facts), show: () => {}, done: () => {} };
    const ways = await opened.planned(async () => {
      expect(await issueWaitingInvoices(shop.deps)).toBe(2);
      expect(await invoicesOf(shop.db, { orderId: 'MANY00000001' })).toHaveLength(3);
      const days = { from: '2026-11-10', to: '2026-11-21', brand: 'lumen' };
      await list.inShop(days, { ...context, ...output, print: () => {}, explain: () => {} });
    });
    expect(rows.length).toBeGreaterThan(20);
    expect(ways.filter(({ table, index }) => index === undefined && large.includes(table))).toEqual([]);
    expect(ways.map(({ index }) => index)).toEqual(
      expect.arrayContaining(['ledger_to_invoice', 'invoices_ledger', 'invoices_order', 'invoices_issued']),
    );
  });
});
