import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { reconcile, defaultReconcileAfterMs } from '#server/jobs/reconcile.ts';
import { slowWalletMs } from '#sandbox/bank/families.ts';
import { summarizeMoney, paidOnce, advanceAndDeliver, unpaid } from '#tests/builders/summarize-money.ts';
import { aShop, payAtPage, type Shop } from '#tests/builders/a-shop.ts';

const host = 'mego.localhost';
const second = 1000;
let shop: Shop;
beforeAll(async () => {
  shop = await aShop();
});
afterAll(() => shop.close());

const alipay = { methodCode: 'alipay', currency: 'CNY', card: undefined };
const yoomoney = { methodCode: 'yoomoney', currency: 'RUB', card: undefined };
/** the return in another browser, without a session */
const back = (token: string) => shop.request(endpoints.payssionConfirm, { body: { token } }, { host });

const advance = (afterMs = 0) => advanceAndDeliver(shop, afterMs);

describe('a wallet without a confirmation by the return', () => {
  const price = 3500;

  it('pays at its page, and the notice completes the payment', async () => {
    const { page, next, orderId } = await payAtPage(shop, alipay);
    expect(next.finish).toBeUndefined();
    await shop.press(page, 'pay');
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    await advance();
    await advance(5 * second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('can be left without paying and reopened later', async () => {
    const { ana, page, next, orderId, resultToken } = await payAtPage(shop, alipay);
    expect((await shop.press(page, 'leave')).headers.get('location')).toContain(resultToken);
    const info = await shop.request(endpoints.paymentInfo, { body: { orderId } }, ana);
    expect(info.data.next).toEqual(next);
    await shop.press(page, 'pay');
    await advance();
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(price));
  });

  it('reports a refusal', async () => {
    const { page, orderId, resultToken } = await payAtPage(shop, alipay);
    await shop.press(page, 'refuse');
    await advance();
    const result = await shop.request(endpoints.queryToken, { body: { token: resultToken } }, { host });
    expect(result.data).toMatchObject({ status: 'PAYMENT_FAILED', failureCode: 2007 });
    expect(await summarizeMoney(shop, orderId)).toMatchObject(unpaid);
  });

  it('reports the refusal again if the same request is repeated after a lost answer', async () => {
    const ana = await shop.buyer({ host });
    const [body, idempotencyKey] = [await ana.body({ planId: '201', ...alipay }), crypto.randomUUID()];
    const send = () => shop.request(endpoints.pay, { body }, { token: ana.token, host, idempotencyKey });
    const { next, orderId } = (await send()).data;
    await shop.press('url' in next ? next.url : '', 'refuse');
    await advance();
    expect(await send()).toMatchObject({ status: 402, errCode: 2007, params: { orderId } });
  });

  it('that is slow stays pending until it decides, even if it is queried', async () => {
    const { page, orderId } = await payAtPage(shop, alipay);
    await shop.press(page, 'later');
    expect(await (await shop.app.request(page)).text()).toContain('One moment');
    await shop.press(page, 'refuse');
    await advance(slowWalletMs - second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ status: 'PAYMENT_PENDING', tries: ['PENDING'], ...unpaid });
    await advance(second);
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(price), tries: ['SUCCEEDED'] });
  });

  it('that is slow and needs a confirmation is completed once its approval is known', async () => {
    const { page, orderId, resultToken } = await payAtPage(shop, yoomoney);
    await shop.press(page, 'later');
    expect((await back(resultToken)).data).toMatchObject({ status: 'PAYMENT_PENDING', unpaid: false });
    await advance(slowWalletMs);
    expect((await summarizeMoney(shop, orderId)).status).toBe('PAYMENT_PENDING');
    // its approval is sent twice, like every notice, and then no more
    await shop.deliver(2 * second);
    await shop.deliver(2 * second);
    expect(await shop.deliver(2 * second)).toBe(0);
    expect((await back(resultToken)).data.status).toBe('PAYMENT_SUCCEEDED');
    expect(await summarizeMoney(shop, orderId)).toEqual({ ...paidOnce(39_900), tries: ['SUCCEEDED'] });
  });

  it('whose notice is late and whose payer does not return is completed by the job', async () => {
    const { page, orderId } = await payAtPage(shop, yoomoney);
    await shop.press(page, 'later');
    shop.clock.advance(defaultReconcileAfterMs);
    await reconcile(shop.deps);
    expect(await summarizeMoney(shop, orderId)).toMatchObject(paidOnce(39_900));
  });
});
