import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { slowWalletMs } from '#sandbox/bank/families.ts';
import { aCard, aShop, type Shop } from '#tests/builders/a-shop.ts';
import { summarizeMoney, paidOnce, advanceAndDeliver, unpaid } from '#tests/builders/money-of.ts';

const host = 'mego.localhost';
const [second, minute] = [1000, 60_000] as const;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const asking = '4000002500003155';
const ways = {
  useepay: {
    wish: { methodCode: 'card', currency: 'USD', card: aCard(asking) },
    price: 499,
    page: 'challenge',
    minutes: 15,
    yes: 'approve',
    refused: 5015,
    create: endpoints.useepayCreate,
    confirm: endpoints.useepayConfirm,
  },
  payssion: {
    wish: { methodCode: 'yoomoney', currency: 'RUB', card: undefined },
    price: 39_900,
    page: 'wallet',
    minutes: 15,
    yes: 'pay',
    refused: 2007,
    create: endpoints.payssionCreate,
    confirm: endpoints.payssionConfirm,
  },
} as const;
type Way = keyof typeof ways;
const both = ['useepay', 'payssion'] satisfies Way[];
const alipay = { methodCode: 'alipay', currency: 'CNY', card: undefined };

const sentAway = async (wish: object) => {
  const ana = await shop.buyer({ host });
  const { data } = await ana.pay({ planId: '201', ...wish });
  if (data.next.type !== 'redirect') throw new Error('no page of a provider');
  return { ana, ...data, next: data.next, page: data.next.url };
};
/** back in another browser: nobody is signed in there */
const back = (way: Way, token: string) => shop.request(ways[way].confirm, { body: { token } }, { host });
const tell = (afterMs = 0) => advanceAndDeliver(shop, afterMs);

describe.each(both)('a payment at the page of %s', (way) => {
  const { wish, price, page: name, minutes, yes, refused, create, confirm } = ways[way];

  it('is approved there and finished by the way back, once, however often that is gone', async () => {
    const { page, next, orderId, resultToken, status } = await sentAway(wish);
    expect(status).toBe('PAYMENT_PENDING');
    expect(next).toMatchObject({ finish: way, expiresAt: shop.clock.now + minutes * minute });
    expect(page).toContain(`http://${host}/sandbox/bank/${name}/`);
    const left = await shop.press(page, yes);
    expect(left.headers.get('location')).toBe(
      `http://${host}/paymentResult/orderId/${orderId}/token/${resultToken}/finish/${way}?language=en`,
    );
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['PENDING'], ...unpaid });
    const seen = await back(way, resultToken);
    expect(seen.data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' }, total: { amount: price } });
    expect(JSON.stringify(seen.data)).not.toContain(orderId);
    expect((await back(way, resultToken)).data).toEqual(seen.data);
    await tell();
    await tell(5 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('comes back in two browsers at once and is paid once', async () => {
    const { page, orderId, resultToken } = await sentAway(wish);
    await shop.press(page, yes);
    const answers = await Promise.all([1, 2, 3].map(() => back(way, resultToken)));
    expect(answers.map((answer) => answer.data.status)).toEqual(Array(3).fill('PAYMENT_SUCCEEDED'));
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('whose notice overtakes its payer is finished all the same', async () => {
    const { page, orderId, resultToken } = await sentAway(wish);
    await shop.press(page, yes);
    await tell();
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    expect((await back(way, resultToken)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('whose payer never comes back is finished without them', async () => {
    const { page, orderId } = await sentAway(wish);
    await shop.press(page, yes);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
    await tell();
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('told finished before anything was approved goes on waiting, at the same page', async () => {
    const { page, next, orderId, resultToken } = await sentAway(wish);
    expect((await back(way, resultToken)).data).toMatchObject({ status: 'PAYMENT_PENDING', next, unpaid: true });
    await shop.press(page, yes);
    expect((await back(way, resultToken)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('refused there fails, and the next try pays the same order', async () => {
    const { ana, page, orderId, resultToken } = await sentAway(wish);
    await shop.press(page, 'refuse');
    await shop.press(page, yes);
    const seen = await back(way, resultToken);
    expect(seen.data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: refused });
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_FAILED', tries: ['FAILED'], ...unpaid });
    shop.clock.advance(second);
    const again = await ana.repay(orderId, { planId: '201', ...wish });
    expect(again.data).toMatchObject({ orderId, resultToken, next: { type: 'redirect' } });
    await shop.press(again.data.next.type === 'redirect' ? again.data.next.url : '', yes);
    await back(way, resultToken);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['FAILED', 'SUCCEEDED'] });
  });

  it('opened anew has another address, and the first one is gone', async () => {
    const { ana, page, orderId, resultToken } = await sentAway(wish);
    const anew = await shop.request(create, { body: { orderId } }, ana);
    const url = anew.data.next.type === 'redirect' ? anew.data.next.url : '';
    expect(anew.data).toMatchObject({ orderId, resultToken, next: { type: 'redirect', finish: way } });
    expect(url).not.toBe(page);
    expect([(await shop.app.request(page)).status, (await shop.press(page, yes)).status]).toEqual([404, 404]);
    expect((await shop.app.request(url)).status).toBe(200);
    await shop.press(url, yes);
    await back(way, resultToken);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('left open for too long is over, and can be begun again', async () => {
    const { ana, page, orderId, resultToken } = await sentAway(wish);
    shop.clock.advance(minutes * minute);
    await shop.press(page, yes);
    expect((await back(way, resultToken)).data).toMatchObject({ status: 'PAYMENT_PENDING', next: { type: 'none' } });
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ tries: ['EXPIRED'], ...unpaid });
    expect(await (await shop.app.request(page)).text()).toContain('Too late');
    const again = await ana.repay(orderId, { planId: '201', ...wish });
    expect(again.data).toMatchObject({ orderId, next: { type: 'redirect' } });
  });

  it('belongs to its customer, and its token to its brand', async () => {
    const { page, orderId, resultToken } = await sentAway(wish);
    const stranger = await shop.buyer({ host });
    expect(await shop.request(create, { body: { orderId } }, stranger)).toMatchObject({ errCode: 1001 });
    await shop.press(page, yes);
    const elsewhere = await shop.request(confirm, { body: { token: resultToken } });
    expect(elsewhere).toMatchObject({ errCode: 1040 });
    expect(await back(way, `${resultToken}x`)).toMatchObject({ errCode: 1040 });
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
  });

  it('is not finished by the call of another provider', async () => {
    const { page, orderId, resultToken } = await sentAway(wish);
    await shop.press(page, yes);
    const other = await back(way === 'useepay' ? 'payssion' : 'useepay', resultToken);
    expect(other.data.status).toBe('PAYMENT_PENDING');
    expect((await summarizeMoney(shop, orderId)).captures).toBe(0);
  });
});

describe('a card at a provider with a page', () => {
  it('is paid without the page where its bank asks nothing', async () => {
    const ana = await shop.buyer({ host });
    const { data } = await ana.pay({ planId: '201', ...ways.useepay.wish, card: aCard() });
    expect(data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    expect(await shop.request(endpoints.useepayCreate, { body: { orderId: data.orderId } }, ana)).toMatchObject({
      data: { status: 'PAYMENT_SUCCEEDED' },
    });
    expect(await summarizeMoney(shop, data.orderId)).toMatchObject(paidOnce(499));
  });

  it('cannot be opened anew at a provider that it does not wait at', async () => {
    const { ana, orderId } = await sentAway(ways.useepay.wish);
    expect(await shop.request(endpoints.payssionCreate, { body: { orderId } }, ana)).toMatchObject({ errCode: 4598 });
  });
});

describe('a wallet that nobody has to be told about', () => {
  const price = 3500;

  it('pays at its page, and the notice brings it home', async () => {
    const { page, next, orderId } = await sentAway(alipay);
    expect(next.finish).toBeUndefined();
    await shop.press(page, 'pay');
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    await tell();
    await tell(5 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('can be left without paying, and gone back to', async () => {
    const { ana, page, next, orderId, resultToken } = await sentAway(alipay);
    expect((await shop.press(page, 'leave')).headers.get('location')).toContain(resultToken);
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data.next).toEqual(next);
    await shop.press(page, 'pay');
    await tell();
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('refused tells so', async () => {
    const { page, orderId, resultToken } = await sentAway(alipay);
    await shop.press(page, 'refuse');
    await tell();
    const seen = await shop.request(endpoints.queryToken, { body: { token: resultToken } }, { host });
    expect(seen.data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: 2007 });
    expect(await summarizeMoney(shop, orderId)).toMatchObject(unpaid);
  });

  it('refused tells so again to a phone that lost the answer and sends the same once more', async () => {
    const ana = await shop.buyer({ host });
    const [body, idempotencyKey] = [await ana.body({ planId: '201', ...alipay }), crypto.randomUUID()];
    const send = () => shop.request(endpoints.pay, { body }, { token: ana.token, host, idempotencyKey });
    const { next, orderId } = (await send()).data;
    await shop.press('url' in next ? next.url : '', 'refuse');
    await tell();
    expect(await send()).toMatchObject({ status: 402, errCode: 2007, params: { orderId } });
  });

  it('that is slow says nothing for a while, even when it is asked', async () => {
    const { page, orderId } = await sentAway(alipay);
    await shop.press(page, 'later');
    expect(await (await shop.app.request(page)).text()).toContain('One moment');
    await shop.press(page, 'refuse');
    await tell(slowWalletMs - second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['PENDING'], ...unpaid });
    await tell(second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('that is slow and has to be told is finished when its yes is known', async () => {
    const { page, orderId, resultToken } = await sentAway(ways.payssion.wish);
    await shop.press(page, 'later');
    expect((await back('payssion', resultToken)).data).toMatchObject({ status: 'PAYMENT_PENDING', unpaid: false });
    await tell(slowWalletMs);
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    // its yes is told twice, as everything is, and then no more
    await shop.deliver(2 * second);
    await shop.deliver(2 * second);
    expect(await shop.deliver(2 * second)).toBe(0);
    expect((await back('payssion', resultToken)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(39_900), tries: ['SUCCEEDED'] });
  });

  it('that tells late and is never asked about is found by the job', async () => {
    const { page, orderId } = await sentAway(ways.payssion.wish);
    await shop.press(page, 'later');
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(39_900));
  });
});
