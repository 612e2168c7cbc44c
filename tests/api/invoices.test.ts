import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { issueWaitingInvoices } from '#server/jobs/issue-invoices.ts';
import { refundDuplicates } from '#server/jobs/refund-duplicates.ts';
import { aNotice, sendNotice } from '#tests/builders/a-notice.ts';
import { aCoupon } from '#tests/builders/a-coupon.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aPayment, invoiceSettings, issuedBy, setInvoices } from '#tests/builders/invoices.ts';

let shop: Shop;
let ana: Buyer;
beforeEach(async () => {
  shop = await aShop();
  await setInvoices(shop.db, invoiceSettings);
  [ana = expect.fail('no buyer')] = await shop.buyers(1);
});
afterEach(() => shop.close());

const issue = () => issueWaitingInvoices(shop.deps);
/** Kind, number and amounts of each document. */
const documents = async () =>
  (await issuedBy(shop.db)).map(({ kind, number, gross, net, tax }) => [kind, number, gross, net, tax]);
const waiting = async () => (await shop.db.select().from(ledger)).filter(({ invoiceAt }) => invoiceAt !== null);

describe('an invoice', () => {
  it('has the tax of the day, the seller and the encrypted buyer, and is issued once', async () => {
    const { orderId } = await aPayment(shop, ana);
    expect(await issue()).toBe(1);
    expect(await issue()).toBe(0);
    const [invoice, ...others] = await issuedBy(shop.db);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      year: 2026,
      sequence: 1,
      number: 'LUM-2026-000001',
      orderId,
      uid: ana.uid,
      issuedAt: shop.clock.now,
      country: 'BR',
      currency: 'BRL',
      // 1990 * 5 / 105 = 94.76
      gross: 1990,
      net: 1895,
      tax: 95,
      rate: 5000,
      taxName: 'ISS',
      seller: { legalName: 'Lumen Mídia do Brasil Ltda.' },
    });
    expect(invoice?.buyerSealed).toMatch(/^[\w-]{40,}$/);
  });

  it('keeps the rate of its time; the next one has the new rate, with three decimals', async () => {
    await aPayment(shop, ana);
    await issue();
    await setInvoices(shop.db, { ...invoiceSettings, tax: { BR: { name: 'ISS', rate: 2.925 } } });
    await aPayment(shop, ana);
    await issue();
    expect((await issuedBy(shop.db)).map(({ rate, tax }) => [rate, tax])).toEqual([
      [5000, 95],
      [2925, 57],
    ]);
  });

  it('is taxed in the country of the tax number, else of the currency, else of the settings', async () => {
    const unpaid = { status: 'PAYMENT_PENDING', attempt: { state: 'PENDING' } } as const;
    await aPayment(shop, ana);
    for (const [currency, total] of [
      ['USD', 499],
      ['CLP', 9990],
    ] as const) {
      shop.clock.advance(1);
      const { attempt } = await anOrder(shop.db, ana, { ...unpaid, currency, total, original: total });
      await sendNotice(shop, aNotice(attempt.id, { amount: total, currency }));
    }
    await issue();
    expect((await issuedBy(shop.db)).map(({ country, tax, taxName }) => [country, tax, taxName])).toEqual([
      ['BR', 95, 'ISS'],
      // 499 * 19 / 119 = 79.67
      ['US', 80, 'VAT'],
      // whole pesos: 9990 * 19 / 119 = 1595.04
      ['CL', 1595, 'VAT'],
    ]);
  });

  it('has no tax for a country that has no row', async () => {
    await setInvoices(shop.db, { ...invoiceSettings, tax: { PT: { name: 'IVA', rate: 23 } } });
    await aPayment(shop, ana);
    await issue();
    const [invoice] = await issuedBy(shop.db);
    expect(invoice).toMatchObject({ gross: 1990, net: 1990, tax: 0, rate: null, taxName: null });
  });

  it('begins at 1 at midnight of the brand, and the old year continues for what was paid before', async () => {
    const newYear = Date.UTC(2027, 0, 1, 3);
    shop.clock.now = newYear - 2000;
    await aPayment(shop, ana);
    await issue();
    shop.clock.now = newYear - 1;
    await aPayment(shop, ana);
    shop.clock.now = newYear;
    const { tell } = await aPayment(shop, ana);
    await tell('refund succeeded');
    await issue();
    await issue();
    expect((await documents()).map(([, number]) => number)).toEqual([
      'LUM-2026-000001',
      'LUM-2026-000002',
      'LUM-2027-000001',
      'LUM-2027-000002',
    ]);
  });

  it('is issued for no payment of a brand without invoices, and later for those since its settings only', async () => {
    await setInvoices(shop.db, null);
    const old = await aPayment(shop, ana);
    expect(await waiting()).toEqual([]);
    expect(await issue()).toBe(0);
    await setInvoices(shop.db, invoiceSettings);
    await aPayment(shop, ana);
    // there is no invoice that a credit note could correct
    await old.tell('refund succeeded');
    await issue();
    expect(await documents()).toEqual([['invoice', 'LUM-2026-000001', 1990, 1895, 95]]);
    expect(await waiting()).toEqual([]);
  });

  it('is issued neither for a coupon that pays everything nor for a second payment of the order', async () => {
    const discountCode = await aCoupon(shop.db, { kind: 'percent', value: 100 });
    await aPayment(shop, ana, { discountCode });
    const { next, orderId } = (await ana.pay(byPix)).data;
    shop.clock.advance(31 * 60_000);
    await ana.repay(orderId);
    await shop.press((next.type === 'qr' && next.bankUrl) || '', 'pay-late');
    await shop.deliver(300);
    expect((await shop.books()).ledger.filter((one) => one.orderId === orderId)).toHaveLength(2);
    expect(await refundDuplicates(shop.deps)).toBe(1);
    await issue();
    expect(await documents()).toEqual([['invoice', 'LUM-2026-000001', 1990, 1895, 95]]);
    expect(await waiting()).toEqual([]);
  });

  it('of a brand that has no invoices any more waits until it has them again', async () => {
    await aPayment(shop, ana);
    await setInvoices(shop.db, null);
    expect(await issue()).toBe(0);
    expect(await waiting()).toHaveLength(1);
    await setInvoices(shop.db, { ...invoiceSettings, prefix: 'NEW' });
    expect(await issue()).toBe(1);
    expect((await documents()).map(([, number]) => number)).toEqual(['NEW-2026-000001']);
  });
});

describe('a credit note', () => {
  it('corrects the invoice by each refund, and together they return the tax to the cent', async () => {
    const { tell } = await aPayment(shop, ana);
    for (const [index, amount] of [663, 663, 664].entries()) {
      shop.clock.advance(1);
      await tell('refund succeeded', { amount, ref: `re_${index}` });
    }
    await issue();
    // a third of the tax is 31.6: three times 32 would be one cent too much
    expect(await documents()).toEqual([
      ['invoice', 'LUM-2026-000001', 1990, 1895, 95],
      ['creditNote', 'LUM-2026-000002', -663, -631, -32],
      ['creditNote', 'LUM-2026-000003', -663, -632, -31],
      ['creditNote', 'LUM-2026-000004', -664, -632, -32],
    ]);
    expect((await issuedBy(shop.db)).map(({ corrects }) => corrects)).toEqual([
      null,
      ...Array.from({ length: 3 }, () => 'LUM-2026-000001'),
    ]);
  });

  it('has the rate and the buyer of its invoice, whatever the settings are now', async () => {
    const { tell } = await aPayment(shop, ana);
    await issue();
    await setInvoices(shop.db, { ...invoiceSettings, prefix: 'NEW', tax: { BR: { name: 'ISS', rate: 2 } } });
    await tell('refund succeeded');
    await issue();
    const [invoice, credit] = await issuedBy(shop.db);
    expect(credit).toMatchObject({ number: 'NEW-2026-000002', rate: 5000, tax: -95, corrects: invoice?.number });
    expect(credit?.buyerSealed).toBe(invoice?.buyerSealed);
  });

  it('is issued for a dispute when it is lost, with that date', async () => {
    const { tell } = await aPayment(shop, ana);
    await tell('chargeback opened');
    await issue();
    expect(await documents()).toHaveLength(1);
    shop.clock.advance(40 * 86_400_000);
    await tell('chargeback succeeded');
    await issue();
    const [, credit] = await issuedBy(shop.db);
    expect(credit).toMatchObject({ kind: 'creditNote', gross: -1990, issuedAt: shop.clock.now });
  });

  it('is not issued for a dispute that is won, whatever arrives first', async () => {
    const { tell } = await aPayment(shop, ana);
    await tell('chargeback rejected');
    await tell('chargeback opened');
    await issue();
    expect(await documents()).toHaveLength(1);
    expect(await waiting()).toEqual([]);
  });

  it('never exceeds what is left of the invoice', async () => {
    const { tell } = await aPayment(shop, ana);
    await tell('refund succeeded');
    await tell('chargeback opened', { amount: 1990, ref: 'dp_1' });
    await tell('chargeback succeeded', { amount: 1990, ref: 'dp_1' });
    await issue();
    expect((await documents()).map(([, , gross]) => gross)).toEqual([1990, -1990]);
    expect(await waiting()).toEqual([]);
  });
});

describe('the receipt of an order', () => {
  const partiesOf = async ({ orderId }: { orderId: string }) =>
    (await shop.request(endpoints.receiptParties, { params: { id: orderId } }, ana)).data;

  it('has its number at once, and the credit note after a refund', async () => {
    const payment = await aPayment(shop, ana);
    const money = (amount: number) => ({ amount, currency: 'BRL' });
    const invoice = {
      kind: 'invoice',
      number: 'LUM-2026-000001',
      issuedAt: shop.clock.now,
      taxName: 'ISS',
      rate: 5,
      gross: money(1990),
      net: money(1895),
      tax: money(95),
    };
    expect((await partiesOf(payment)).invoices).toEqual([invoice]);
    await payment.tell('refund succeeded');
    const { invoices } = await partiesOf(payment);
    expect(invoices).toMatchObject([invoice, { kind: 'creditNote', number: 'LUM-2026-000002', tax: money(-95) }]);
  });

  it('is shown without a number while none can be issued, and another brand is not affected', async () => {
    const payment = await aPayment(shop, ana);
    await setInvoices(shop.db, null);
    expect(await partiesOf(payment)).toMatchObject({ invoices: [], buyer: { name: 'Ana Lima' } });
    const other = await shop.buyer({ host: 'mego.localhost' });
    await other.pay({ planId: '201', currency: 'USD' });
    expect(await issuedBy(shop.db, 'mego')).toEqual([]);
  });
});
