import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { invoices } from '#server/db/schema/invoices.ts';
import { issueWaitingInvoices } from '#server/jobs/issue-invoices.ts';
import { accountDeletion } from '#tests/builders/a-deletion.ts';
import { startOperatorDemo, type OperatorDemo } from '#tests/builders/an-operator-demo.ts';
import { aPayment, invoiceSettings, issuedBy, setInvoices, type Payment } from '#tests/builders/invoices.ts';

let desk: OperatorDemo;
beforeAll(async () => {
  desk = await startOperatorDemo();
  await setInvoices(desk.shop.db, invoiceSettings);
  const buyer = await desk.shop.buyer();
  const { tell } = await aPayment(desk.shop, buyer);
  await issueWaitingInvoices(desk.shop.deps);
  // midnight of 22 November in São Paulo
  desk.shop.clock.now = Date.UTC(2026, 10, 22, 3);
  await tell('refund succeeded', { amount: 500, ref: 're_1' });
  await issueWaitingInvoices(desk.shop.deps);
}, 60_000);
afterAll(() => desk?.close());

describe('invoices list', () => {
  it('prints a line for each document, with the days of the brand and the whole tax number', async () => {
    const { out, code } = await desk.run('invoices', 'list', '--from=2026-11-21', '--to=2026-11-22', '--csv');
    expect(code).toBe(0);
    const [names, ...lines] = out.map((line) => line.split(','));
    const column = (name: string) => lines.map((cells) => cells[names?.indexOf(name) ?? -1]);
    expect(column('number')).toEqual(['LUM-2026-000001', 'LUM-2026-000002']);
    expect(column('kind')).toEqual(['invoice', 'credit note']);
    expect(column('issued')).toEqual(['2026-11-21', '2026-11-22']);
    expect(column('country')).toEqual(['BR', 'BR']);
    expect(column('gross')).toEqual(['19.90', '-5.00']);
    expect(column('gross_currency')).toEqual(['BRL', 'BRL']);
    // what is left: 14.90, of which 0.71 are tax
    expect(column('tax')).toEqual(['0.95', '-0.24']);
    expect(column('net')).toEqual(['18.95', '-4.76']);
    expect(column('ratePercent')).toEqual(['5', '5']);
    expect(column('buyerTaxNumber')).toEqual(['529.982.247-25', '529.982.247-25']);
    expect(column('corrects')).toEqual(['', 'LUM-2026-000001']);
    expect(column('buyerName')).toEqual(['Ana Lima', 'Ana Lima']);
  });

  it('contains only the named days and brand', async () => {
    const day = await desk.run('invoices', 'list', '--from=2026-11-22', '--to=2026-11-22', '--brand=lumen', '--json');
    expect(day.facts).toMatchObject([{ number: 'LUM-2026-000002' }]);
    const other = await desk.run('invoices', 'list', '--brand=mego');
    expect(other).toMatchObject({ code: 0, out: [], told: 'No invoices in this period.\n' });
  });
});

describe('orders show', () => {
  it('names the invoice of an order and its credit notes', async () => {
    const [first] = await desk.shop.db.select().from(invoices).orderBy(invoices.sequence).limit(1);
    const { facts } = await desk.run('orders', 'show', String(first?.orderId), '--json');
    expect(facts[0]?.['invoices']).toEqual([
      { number: 'LUM-2026-000001', kind: 'invoice', gross: { amount: 1990, currency: 'BRL' } },
      { number: 'LUM-2026-000002', kind: 'credit note', gross: { amount: -500, currency: 'BRL' } },
    ]);
  });
});

describe('invoices show', () => {
  it('shows seller, buyer and credit notes', async () => {
    const { facts } = await desk.run('invoices', 'show', 'lum-2026-000001', '--json');
    expect(facts).toMatchObject([
      {
        number: 'LUM-2026-000001',
        buyerName: 'Ana Lima',
        sellerName: 'Lumen Mídia do Brasil Ltda.',
        sellerTaxNumber: '11.222.333/0001-81',
        creditNotes: [{ number: 'LUM-2026-000002', gross: { amount: -500, currency: 'BRL' } }],
      },
    ]);
    const unknown = await desk.run('invoices', 'show', 'LUM-2026-000009');
    expect([unknown.code, unknown.told]).toEqual([1, expect.stringContaining('no invoice LUM-2026-000009')]);
  });
});

describe('the invoices of a customer', () => {
  const { leave, pay, pass } = accountDeletion(() => desk.shop);

  it('are in the export of their data with the buyer, and remain without the buyer after a deletion', async () => {
    const eva = await desk.shop.customer();
    const { token, password } = eva;
    await pay(eva);
    await issueWaitingInvoices(desk.shop.deps);
    const confirm = { purpose: 'data', password } as const;
    const { confirmation } = (await desk.shop.request(endpoints.confirmOwner, { body: confirm }, { token })).data;
    const { data } = (await desk.shop.request(endpoints.exportData, { body: { confirmation } }, { token })).data;
    const buyer = { name: 'Ana Lima', document: '52998224725' };
    expect(data['invoices']).toMatchObject([{ number: 'LUM-2026-000003', gross: 1990, buyer }]);
    const pages = { confirmation, language: 'es', after: null } as const;
    const { receipts } = (await desk.shop.request(endpoints.exportReceipts, { body: pages }, { token })).data;
    expect(receipts[0]?.html).toMatch(/LUM-2026-000003[^]*Incluye 5\u00a0% ISS[^]*0,95/);
    await leave(eva);
    await pass();
    const mine = (await desk.shop.db.select().from(invoices)).filter(({ uid }) => uid === eva.uid);
    expect(mine).toMatchObject([{ number: 'LUM-2026-000003', gross: 1990, tax: 95, country: 'BR', buyerSealed: null }]);
    await pass(11 * 365 * 86_400_000);
    expect((await desk.shop.db.select().from(invoices)).filter(({ uid }) => uid === eva.uid)).toEqual([]);
  });
});

describe('invoices issue', () => {
  const issue = (...more: string[]) => desk.run('invoices', 'issue', '--brand=lumen', '--why=rollback', ...more);
  const documents = async () =>
    (await issuedBy(desk.shop.db)).map(({ kind, sequence, gross }) => [kind, sequence, gross]);

  it('issues what was booked without invoices, each document once, and a credit note after its invoice', async () => {
    const { shop } = desk;
    shop.clock.now = Date.UTC(2026, 10, 22, 12);
    const before = await documents();
    await setInvoices(shop.db, null);
    expect((await issue()).told).toContain('has no `invoices`');
    const paid: Payment[] = [];
    for (let count = 0; count < 5; count += 1) {
      paid.push(await aPayment(shop, await shop.buyer()));
      shop.clock.advance(1000);
    }
    const [whole, parted, lost, open] = paid;
    shop.clock.advance(86_400_000);
    await whole?.tell('refund succeeded');
    await parted?.tell('refund succeeded', { amount: 100, ref: 're_2' });
    for (const disputed of [lost, open]) await disputed?.tell('chargeback opened');
    await lost?.tell('chargeback succeeded');
    shop.clock.advance(2 * 86_400_000);
    await setInvoices(shop.db, invoiceSettings);
    expect((await issue('--from=2026-11-25')).told).toContain('0 documents');
    expect((await issue('--json')).facts).toEqual([{ brand: 'lumen', issued: 8 }]);
    const after = await documents();
    const issued = after.slice(before.length);
    expect(issued.map(([kind]) => kind).join()).toBe(`${'invoice,'.repeat(5)}creditNote,creditNote,creditNote`);
    const orders = (await issuedBy(shop.db)).slice(before.length).map(({ orderId }) => orderId);
    expect(orders.slice(0, 5), 'an earlier payment has a smaller number').toEqual(paid.map(({ orderId }) => orderId));
    const first = Number(issued[0]?.[1]);
    expect(issued.map(([, sequence]) => sequence)).toEqual(issued.map((_, index) => first + index));
    expect(
      issued
        .slice(5)
        .map(([, , gross]) => Number(gross))
        .toSorted((a, b) => a - b),
    ).toEqual([-1990, -1990, -100]);
    expect((await issue()).told).toContain('0 documents');
    expect(await documents()).toEqual(after);
  });
});
