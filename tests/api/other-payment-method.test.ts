import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aCard, aShop, byPix, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { summarizeMoney } from '#tests/builders/summarize-money.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const aCode = async (ana: Buyer) => {
  const { data } = await ana.pay(byPix);
  if (data.next.type !== 'qr') throw new Error('no code');
  return { orderId: data.orderId, page: data.next.bankUrl ?? '' };
};
const pageText = async (page: string) => (await shop.app.request(page)).text();

describe('a customer who changes the payment method of a pending order', () => {
  it('pays the same order by card, and the code can no longer be paid', async () => {
    const ana = await shop.buyer();
    const { orderId, page } = await aCode(ana);
    expect((await ana.repay(orderId)).data).toMatchObject({ orderId, status: 'PAYMENT_SUCCEEDED' });
    expect(await pageText(page)).toContain('This code is closed');
    await shop.press(page, 'pay');
    await shop.deliver(60_000);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ status: 'PAYMENT_SUCCEEDED', captures: 1, held: 1990 });
  });

  it('keeps the code when the card is mistyped', async () => {
    const ana = await shop.buyer();
    const { orderId, page } = await aCode(ana);
    const body = await ana.body();
    const mistyped = { ...body, orderId, card: aCard('4111111111111112') };
    const answer = await shop.request(
      endpoints.repay,
      { body: mistyped },
      { ...ana, idempotencyKey: crypto.randomUUID() },
    );
    expect(answer.errCode).toBe(314);
    expect(await pageText(page)).toContain('Check the amount');
  });

  it('gets the prompt on another phone after a mistyped number, and the first phone can no longer pay', async () => {
    const host = 'baobab.localhost';
    const ana = await shop.buyer({ host });
    const by = (phone: string) => {
      const what = { planId: '501', methodCode: 'mpesa', currency: 'KES', card: undefined };
      return { ...what, payer: { phone } };
    };
    const { data } = await ana.pay(by('712341037'));
    const again = { ...(await ana.body(by('712345678'))), orderId: data.orderId };
    const options = { ...ana, host };
    const unchanged = await shop.request(
      endpoints.repay,
      { body: again },
      { ...options, idempotencyKey: crypto.randomUUID() },
    );
    expect(unchanged.data.next).toMatchObject({ type: 'push', phone: '+254 •••••••37' });
    const replacing = { ...again, replaceAttempt: true };
    const other = await shop.request(
      endpoints.repay,
      { body: replacing },
      { ...options, idempotencyKey: crypto.randomUUID() },
    );
    expect(other.data).toMatchObject({
      orderId: data.orderId,
      next: { type: 'push', phone: '+254 •••••••78' },
    });
    await shop.press('http://baobab.localhost/sandbox/bank/mobile/254712341037', 'pay');
    await shop.deliver(5_000);
    await shop.deliver(300);
    expect(await summarizeMoney(shop, data.orderId)).toMatchObject({
      status: 'PAYMENT_SUCCEEDED',
      captures: 1,
      held: 45_000,
    });
  });

  it('sees that the order is paid if the code was paid just before, and is not charged again', async () => {
    const ana = await shop.buyer();
    const { orderId, page } = await aCode(ana);
    await shop.press(page, 'pay');
    expect((await ana.repay(orderId)).data.status).toBe('PAYMENT_SUCCEEDED');
    await shop.deliver(60_000);
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ captures: 1, held: 1890 });
  });
});
