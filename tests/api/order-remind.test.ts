import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { NextStep } from '#contract/next-step.ts';
import { users } from '#server/db/schema/users.ts';
import { reconcile } from '#server/jobs/reconcile.ts';
import { sendOutbox } from '#server/jobs/send-outbox.ts';
import { linkOf, mailboxOf } from '#tests/builders/a-mailbox.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { aCard, aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { aTransfer } from '#tests/builders/a-transfer.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
let shop: Shop;
let buyers: Buyer[];
beforeAll(async () => {
  shop = await aShop();
  buyers = await shop.buyers(20);
});
afterAll(() => shop.close());

const aBuyer = () => buyers.pop() ?? expect.fail('too few buyers');
const remind = (ana: Buyer, orderId: string, language = 'en') =>
  shop.request(endpoints.orderRemind, { body: { orderId } }, { ...ana, headers: { Language: language } });
const remindersTo = async (account: string) =>
  (await mailboxOf(shop, account)).filter((mail) => mail.text.includes('/payment-step'));

/** An order with a pending payment at this step. */
const waitingAt = async (next: NextStep | null, underReview = false) => {
  const ana = aBuyer();
  const attempt = { state: 'PENDING' as const, next, expiresAt: shop.clock.now + 30 * minute };
  const { order } = await anOrder(shop.db, ana, { status: 'PAYMENT_PENDING', underReview, attempt });
  return { ana, orderId: order.orderId };
};
const money = { amount: { amount: 1990, currency: 'BRL' }, expiresAt: Date.UTC(2026, 10, 21, 12, 30) };
const coins = { coin: 'btc-bitcoin', asset: 'BTC', network: 'Bitcoin', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
const chosen = { ...coins, amount: '0.0015', uri: 'bitcoin:1A1', confirmations: 0, confirmationsNeeded: 2 };
const arrived = { ...chosen, received: '0.0015', missing: '0' };
const proved: NextStep = {
  type: 'upload',
  flavour: 'paynow',
  payload: 'a code',
  receiver: { name: 'Mego Pte. Ltd.', account: '6217' },
  reference: 'PN-4071',
  proof: 'received',
  ...money,
};

describe('a reminder', () => {
  it('of a Pix contains its code and a link to it that works only for its owner', async () => {
    const ana = aBuyer();
    const { data } = await ana.pay(byPix);
    const { sentTo } = (await remind(ana, data.orderId)).data;
    expect(sentTo).toBe(`${ana.account[0]}***@example.com`);
    const [mail, ...more] = await remindersTo(ana.account);
    expect(more).toEqual([]);
    expect(mail?.subject).toContain(data.orderId);
    expect(mail?.text.split('\n')).toContain(data.next.type === 'qr' ? data.next.payload : '');
    expect(mail?.text).toMatch(/R\$\s?18\.90/);
    const { url } = linkOf(mail ?? { text: '' });
    expect(url.href).toBe(`http://localhost:3000/payment-step?orderId=${data.orderId}`);
    expect(mail?.text).not.toContain(data.resultToken);
    await sendOutbox(shop.deps);
    expect(shop.sent.filter((sent) => sent.to === ana.account)).toHaveLength(1);
  });

  it('of a partial crypto payment contains the missing amount and its address', async () => {
    const missing = { ...chosen, received: '0.0005', missing: '0.0010' };
    const { ana, orderId } = await waitingAt({ type: 'crypto', options: [], chosen: missing, ...money });
    await remind(ana, orderId);
    const [mail] = await remindersTo(ana.account);
    expect(mail?.text).toContain('Exact amount: 0.0010 BTC');
    expect(mail?.text.split('\n')).toContain(coins.address);
  });

  it('of a payment slip contains its line and due date in the customer’s language', async () => {
    const line = '00190.00009 01234.567806 00000.000174 1 16420000004990';
    const barcode = '00191164200000049900000001234567800000000017';
    const slip = { type: 'ticket', barcode, line, dueDate: '2026-11-26', ...money } as const;
    const { ana, orderId } = await waitingAt(slip);
    await remind(ana, orderId, 'pt');
    const [mail] = await remindersTo(ana.account);
    expect(mail?.text).toContain('Vencimento: 26 de novembro de 2026');
    expect(mail?.text.split('\n')).toContain(line);
  });

  it('of an expired code does not contain that code', async () => {
    const ana = aBuyer();
    const { data } = await ana.pay(byPix);
    shop.clock.advance(31 * minute);
    await reconcile(shop.deps);
    expect((await remind(ana, data.orderId)).code).toBe(0);
    const [mail] = await remindersTo(ana.account);
    expect(mail?.text).not.toContain('br.gov.bcb.pix');
  });

  it('is sent to the address bound to a phone number, and refused without one', async () => {
    const { ana, orderId } = await waitingAt(null);
    const phone = { account: '5511987654321', accountType: 'phone' as const, email: null };
    await shop.db.update(users).set(phone).where(eq(users.uid, ana.uid));
    expect((await remind(ana, orderId)).errCode).toBe(4598);
    await shop.db.update(users).set({ email: 'bound@example.com' }).where(eq(users.uid, ana.uid));
    expect((await remind(ana, orderId)).data.sentTo).toBe('b***@example.com');
    expect(await remindersTo('bound@example.com')).toHaveLength(1);
  });

  it('is sent once a minute and three times a day, and the refusal shows how long to wait', async () => {
    const { ana, orderId } = await waitingAt(null);
    const other = await anOrder(shop.db, ana, { status: 'PAYMENT_PENDING', attempt: { state: 'EXPIRED' } });
    expect((await remind(ana, orderId)).code).toBe(0);
    shop.clock.advance(10_000);
    expect(await remind(ana, orderId)).toMatchObject({ errCode: -3031, params: { waitSeconds: 50 } });
    expect((await remind(ana, other.order.orderId)).code).toBe(0);
    for (const _ of [2, 3]) {
      shop.clock.advance(minute);
      expect((await remind(ana, orderId)).code).toBe(0);
    }
    shop.clock.advance(minute);
    const waitSeconds = (day - 190_000) / 1000;
    expect(await remind(ana, orderId)).toMatchObject({ errCode: -3031, params: { waitSeconds } });
    expect(await remind(ana, orderId)).toMatchObject({ errCode: -3031, params: { waitSeconds } });
    expect(await remindersTo(ana.account)).toHaveLength(4);
    shop.clock.advance(day);
    expect((await remind(ana, orderId)).code).toBe(0);
  });

  it('works only for the customer’s own orders', async () => {
    const { orderId } = await waitingAt(null);
    expect((await remind(aBuyer(), orderId)).errCode).toBe(1001);
  });

  it.each<[string, NextStep]>([
    ['whose coins are being confirmed', { type: 'crypto', options: [], chosen: arrived, ...money }],
    ['whose proof of payment is under review', proved],
  ])('is refused for an order %s', async (_, next) => {
    const { ana, orderId } = await waitingAt(next);
    expect((await remind(ana, orderId)).errCode).toBe(4598);
  });

  it('is refused for an order that is paid, failed, cancelled or of unknown outcome', async () => {
    const ana = aBuyer();
    const created = [
      await anOrder(shop.db, ana, { status: 'PAYMENT_SUCCEEDED' }),
      await anOrder(shop.db, ana, { status: 'PAYMENT_FAILED', attempt: { state: 'FAILED' } }),
      await anOrder(shop.db, ana, { status: 'PAYMENT_CANCELLED', attempt: { state: 'EXPIRED' } }),
      await anOrder(shop.db, ana, { status: 'SUBMITTED' }),
      await anOrder(shop.db, ana, { status: 'PAYMENT_PENDING' }),
    ];
    for (const { order } of created) expect((await remind(ana, order.orderId)).errCode).toBe(4598);
    expect(await remindersTo(ana.account)).toEqual([]);
  });
});

describe('the cart', () => {
  const cart = async (ana: Buyer) => (await shop.request(endpoints.queryCart, { body: {} }, ana)).data.items;

  it('is empty before an order and after its payment', async () => {
    const ana = aBuyer();
    expect(await cart(ana)).toEqual([]);
    await ana.pay();
    expect(await cart(ana)).toEqual([]);
  });

  it('shows pending and failed orders, newest first', async () => {
    const ana = aBuyer();
    const pending = (await ana.pay(byPix)).data.orderId;
    shop.clock.advance(1000);
    const failed = (await ana.pay({ planId: '102', card: aCard('4000000000000002') })).params.orderId;
    const items = await cart(ana);
    expect(items.map(({ orderId, status }) => [orderId, status])).toEqual([
      [failed, 'PAYMENT_FAILED'],
      [pending, 'PAYMENT_PENDING'],
    ]);
    expect(items[1]).toMatchObject({ planName: 'Monthly', total: { amount: 1890, currency: 'BRL' } });
    expect(await cart(aBuyer())).toEqual([]);
  });

  it('shows a transfer until its proof is sent, and again if the proof is rejected', async () => {
    const transfer = await aTransfer(shop);
    const ids = async () => (await cart(transfer.buyer)).map(({ orderId }) => orderId);
    expect(await ids()).toEqual([transfer.orderId]);
    await transfer.prove();
    expect(await ids()).toEqual([]);
    await transfer.reject();
    expect(await ids()).toEqual([transfer.orderId]);
    const { ana } = await waitingAt({ type: 'crypto', options: [], chosen: arrived, ...money }, true);
    expect(await cart(ana)).toEqual([]);
  });

  it('shows a failed order for a week, and ten orders at most', async () => {
    const ana = aBuyer();
    const of = (createdAt: number, status: 'PAYMENT_FAILED' | 'PAYMENT_PENDING' | 'PAYMENT_CANCELLED') =>
      anOrder(shop.db, ana, { createdAt, status, attempt: { state: 'FAILED' } });
    const { now } = shop.clock;
    const young = await of(now - 7 * day + 1, 'PAYMENT_FAILED');
    await of(now - 7 * day, 'PAYMENT_FAILED');
    await of(now, 'PAYMENT_CANCELLED');
    expect((await cart(ana)).map((item) => item.orderId)).toEqual([young.order.orderId]);
    for (let count = 0; count < 11; count += 1) await of(now - count, 'PAYMENT_PENDING');
    expect((await cart(ana)).map((item) => item.date)).toEqual(Array.from({ length: 10 }, (_, count) => now - count));
  });
});
