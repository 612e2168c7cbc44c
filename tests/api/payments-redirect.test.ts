import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { summarizeMoney, paidOnce, advanceAndDeliver, unpaid } from '#tests/builders/summarize-money.ts';
import { aCard, aShop, payAtPage, type Shop } from '#tests/builders/a-shop.ts';

const host = 'mego.localhost';
const [second, minute] = [1000, 60_000] as const;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const requiresChallenge = '4000002500003155';
const providers = {
  useepay: {
    wish: { methodCode: 'card', currency: 'USD', card: aCard(requiresChallenge) },
    price: 499,
    page: 'challenge',
    minutes: 15,
    approve: 'approve',
    refused: 5015,
    create: endpoints.useepayCreate,
    confirm: endpoints.useepayConfirm,
  },
  payssion: {
    wish: { methodCode: 'yoomoney', currency: 'RUB', card: undefined },
    price: 39_900,
    page: 'wallet',
    minutes: 15,
    approve: 'pay',
    refused: 2007,
    create: endpoints.payssionCreate,
    confirm: endpoints.payssionConfirm,
  },
} as const;
type Provider = keyof typeof providers;
const both = ['useepay', 'payssion'] satisfies Provider[];

/** the return in another browser, without a session */
const back = (provider: Provider, token: string) =>
  shop.request(providers[provider].confirm, { body: { token } }, { host });

const advance = (afterMs = 0) => advanceAndDeliver(shop, afterMs);

describe.each(both)('a payment at the page of %s', (provider) => {
  const { wish, price, page: name, minutes, approve, refused, create, confirm } = providers[provider];

  it('is approved there and completed by the return, once even after repeated returns', async () => {
    const { page, next, orderId, resultToken, status } = await payAtPage(shop, wish);
    expect(status).toBe('PAYMENT_PENDING');
    expect(next).toMatchObject({ finish: provider, expiresAt: shop.clock.now + minutes * minute });
    expect(page).toContain(`http://${host}/sandbox/bank/${name}/`);
    const left = await shop.press(page, approve);
    expect(left.headers.get('location')).toBe(
      `http://${host}/paymentResult/orderId/${orderId}/token/${resultToken}/finish/${provider}?language=en`,
    );
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['PENDING'], ...unpaid });
    const result = await back(provider, resultToken);
    expect(result.data).toMatchObject({
      status: 'PAYMENT_SUCCEEDED',
      next: { type: 'none' },
      total: { amount: price },
    });
    expect(JSON.stringify(result.data)).not.toContain(orderId);
    expect((await back(provider, resultToken)).data).toEqual(result.data);
    await advance();
    await advance(5 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('succeeds once if the payer returns in several browsers at once', async () => {
    const { page, orderId, resultToken } = await payAtPage(shop, wish);
    await shop.press(page, approve);
    const answers = await Promise.all([1, 2, 3].map(() => back(provider, resultToken)));
    expect(answers.map((answer) => answer.data.status)).toEqual(Array(3).fill('PAYMENT_SUCCEEDED'));
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('is completed by the return if the notice arrived first', async () => {
    const { page, orderId, resultToken } = await payAtPage(shop, wish);
    await shop.press(page, approve);
    await advance();
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    expect((await back(provider, resultToken)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('is completed by the job if the payer does not return', async () => {
    const { page, orderId } = await payAtPage(shop, wish);
    await shop.press(page, approve);
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
    await advance();
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('stays pending at the same page if the payer returns without approval', async () => {
    const { page, next, orderId, resultToken } = await payAtPage(shop, wish);
    expect((await back(provider, resultToken)).data).toMatchObject({ status: 'PAYMENT_PENDING', next, unpaid: true });
    await shop.press(page, approve);
    expect((await back(provider, resultToken)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('fails after a refusal there, and the next attempt pays the same order', async () => {
    const { ana, page, orderId, resultToken } = await payAtPage(shop, wish);
    await shop.press(page, 'refuse');
    await shop.press(page, approve);
    const result = await back(provider, resultToken);
    expect(result.data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: refused });
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_FAILED', tries: ['FAILED'], ...unpaid });
    shop.clock.advance(second);
    const again = await ana.repay(orderId, { planId: '201', ...wish });
    expect(again.data).toMatchObject({ orderId, resultToken, next: { type: 'redirect' } });
    await shop.press(again.data.next.type === 'redirect' ? again.data.next.url : '', approve);
    await back(provider, resultToken);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['FAILED', 'SUCCEEDED'] });
  });

  it('gets another address when it is reopened, and the first one is removed', async () => {
    const { ana, page, orderId, resultToken } = await payAtPage(shop, wish);
    const reopened = await shop.request(create, { body: { orderId } }, ana);
    const url = reopened.data.next.type === 'redirect' ? reopened.data.next.url : '';
    expect(reopened.data).toMatchObject({ orderId, resultToken, next: { type: 'redirect', finish: provider } });
    expect(url).not.toBe(page);
    expect([(await shop.app.request(page)).status, (await shop.press(page, approve)).status]).toEqual([404, 404]);
    expect((await shop.app.request(url)).status).toBe(200);
    await shop.press(url, approve);
    await back(provider, resultToken);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('expires if the page stays open for too long, and can be started again', async () => {
    const { ana, page, orderId, resultToken } = await payAtPage(shop, wish);
    shop.clock.advance(minutes * minute);
    await shop.press(page, approve);
    expect((await back(provider, resultToken)).data).toMatchObject({
      status: 'PAYMENT_PENDING',
      next: { type: 'none' },
    });
    expect(await summarizeMoney(shop, orderId)).toMatchObject({ tries: ['EXPIRED'], ...unpaid });
    expect(await (await shop.app.request(page)).text()).toContain('Too late');
    const again = await ana.repay(orderId, { planId: '201', ...wish });
    expect(again.data).toMatchObject({ orderId, next: { type: 'redirect' } });
  });

  it('belongs to its customer, and its token to its brand', async () => {
    const { page, orderId, resultToken } = await payAtPage(shop, wish);
    const otherCustomer = await shop.buyer({ host });
    expect(await shop.request(create, { body: { orderId } }, otherCustomer)).toMatchObject({ errCode: 1001 });
    await shop.press(page, approve);
    const elsewhere = await shop.request(confirm, { body: { token: resultToken } });
    expect(elsewhere).toMatchObject({ errCode: 1040 });
    expect(await back(provider, `${resultToken}x`)).toMatchObject({ errCode: 1040 });
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
  });

  it('is not completed by the endpoint of another provider', async () => {
    const { page, orderId, resultToken } = await payAtPage(shop, wish);
    await shop.press(page, approve);
    const other = await back(provider === 'useepay' ? 'payssion' : 'useepay', resultToken);
    expect(other.data.status).toBe('PAYMENT_PENDING');
    expect((await summarizeMoney(shop, orderId)).captures).toBe(0);
  });
});

describe('a card at a provider with a payment page', () => {
  it('pays without the page if the bank requires no challenge', async () => {
    const ana = await shop.buyer({ host });
    const { data } = await ana.pay({ planId: '201', ...providers.useepay.wish, card: aCard() });
    expect(data).toMatchObject({ status: 'PAYMENT_SUCCEEDED', next: { type: 'none' } });
    expect(await shop.request(endpoints.useepayCreate, { body: { orderId: data.orderId } }, ana)).toMatchObject({
      data: { status: 'PAYMENT_SUCCEEDED' },
    });
    expect(await summarizeMoney(shop, data.orderId)).toMatchObject(paidOnce(499));
  });

  it('cannot be reopened at another provider', async () => {
    const { ana, orderId } = await payAtPage(shop, providers.useepay.wish);
    expect(await shop.request(endpoints.payssionCreate, { body: { orderId } }, ana)).toMatchObject({ errCode: 4598 });
  });
});
