import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { HandoverPurchase } from '#contract/handover.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { deleteExpiredRows } from '#server/jobs/delete-expired-rows.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { aCard, aShop, type Buyer, type Shop } from '#tests/builders/a-shop.ts';
import { anInput, opens } from '#tests/builders/access-paths.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const key = '3f0f2a52-6a0c-4b83-9c39-5d0ad9d0a001';
const smartTv = 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) TV Safari/537.36';

let shop: Shop;
let ana: Buyer;
/** The session of the buyer's TV. */
let tv: string;
beforeEach(async () => {
  shop = await aShop();
  ana = await shop.buyer();
  tv = await signInTv();
});
afterEach(() => shop.close());

async function signInTv(): Promise<string> {
  const browser = aTvDevice(shop, 'localhost', smartTv);
  const { deviceCode, userCode } = await browser.codes({ client_id: 'tv' });
  await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
  return String((await browser.poll(deviceCode, { client_id: 'tv' })).body['access_token']);
}

const purchase: HandoverPurchase = {
  planId: '101',
  methodCode: 'card',
  currency: 'BRL',
  discountCode: 'WELCOME10',
  language: 'pt',
  idempotencyKey: key,
};
const open = (token = tv, change: Partial<HandoverPurchase> = {}) =>
  shop.request(endpoints.openHandover, { body: { ...purchase, ...change } }, { token });
const opened = async (token = tv, change: Partial<HandoverPurchase> = {}) => (await open(token, change)).data;
const take = (userCode: string, token?: string, approve = true) =>
  shop.request(endpoints.takeHandover, { body: { userCode, approve } }, { token });
const progress = (handoverId: string, token = tv) =>
  shop.request(endpoints.handoverProgress, { body: { handoverId } }, { token });
/** Takes a checkout over on a phone without a session, and returns the session that it gets. */
async function phone(userCode: string): Promise<string> {
  const { user } = (await take(userCode)).data;
  return user?.token ?? '';
}
const payWith = async (token: string, idempotencyKey: string, wish = {}) =>
  shop.request(endpoints.pay, { body: await ana.body(wish) }, { token, idempotencyKey });

describe('the browser of a TV', () => {
  const browser = () => aTvDevice(shop, 'localhost', smartTv);

  it('is logged in by a phone under a device name of our list, and receives its account', async () => {
    const { deviceCode, userCode } = await browser().codes({ client_id: 'tv', device: 'Say YES', model: 'Say YES' });
    const shown = (await shop.request(endpoints.deviceQuery, { body: { userCode } })).data;
    expect([shown.device, shown.model, shown.account, shown.plan]).toEqual(['Samsung', 'Tizen', null, undefined]);
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    const { body } = await browser().poll(deviceCode, { client_id: 'tv' });
    expect(body['user']).toMatchObject({ uid: ana.uid, account: ana.account, buysOnly: true });
    expect(body['user']).toMatchObject({ token: body['access_token'] });
    expect(body['user']).not.toHaveProperty('deviceToken');
    const boxes = (await shop.request(endpoints.listBoxes, { body: {} }, { token: ana.token })).data;
    expect(boxes.map(({ maker }) => maker)).toEqual(['Samsung', 'Samsung']);
  });

  it('cannot use the code of a set-top box, nor a set-top box the code of a TV', async () => {
    const ofTv = await browser().codes({ client_id: 'tv' });
    const ofBox = await browser().codes();
    for (const { userCode } of [ofTv, ofBox])
      await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: ana.token });
    expect((await browser().poll(ofTv.deviceCode)).body).toEqual({ error: 'invalid_grant' });
    expect((await browser().poll(ofBox.deviceCode, { client_id: 'tv' })).body).toEqual({ error: 'invalid_grant' });
    expect((await browser().poll(ofBox.deviceCode)).body).not.toHaveProperty('user');
  });
});

describe('a checkout that is handed over from a TV to a phone', () => {
  it('opens on the phone unchanged with the account of the TV, and the TV shows its progress', async () => {
    const { handoverId, userCode, link, expiresAt } = await opened();
    expect(link).toBe(`http://localhost:3000/device?user_code=${userCode}&st=STB&la=pt`);
    expect(expiresAt).toBe(shop.clock.now + 10 * minuteMs);
    expect((await progress(handoverId)).data).toEqual({ state: 'waiting', expiresAt, order: null });

    const { data } = await shop.request(endpoints.deviceQuery, { body: { userCode } });
    expect(data).toMatchObject({ device: 'Samsung', model: 'Tizen', plan: 'Monthly', isOwn: false });
    expect(data.account).toMatch(/\*/);
    const taken = (await take(userCode)).data;
    expect(taken.purchase).toEqual(purchase);
    expect(taken.user).toMatchObject({ uid: ana.uid, buysOnly: true, expiration: shop.clock.now + hourMs });
    expect(taken.user).not.toHaveProperty('deviceToken');
    expect((await progress(handoverId)).data).toMatchObject({ state: 'opened', order: null });

    const paid = await payWith(taken.user?.token ?? '', key);
    expect((await progress(handoverId)).data.order).toEqual({
      orderId: paid.data.orderId,
      status: 'PAYMENT_SUCCEEDED',
    });
    expect(JSON.stringify(await shop.db.select().from(checkoutHandovers))).not.toContain(userCode.replace('-', ''));
  });

  it('opens in the session of the same account on the phone, and otherwise in a new session', async () => {
    const { userCode } = await opened();
    expect((await take(userCode, ana.token)).data).toEqual({ purchase, user: null });
    const bia = await shop.buyer();
    const again = await opened();
    const { user } = (await take(again.userCode, bia.token)).data;
    expect(user).toMatchObject({ uid: ana.uid, buysOnly: true });
    expect(await opens(shop, bia.token)).toBe(false);
  });

  it('is paid once when the TV and the phone pay simultaneously, and both show the same order', async () => {
    const { handoverId, userCode } = await opened();
    const token = await phone(userCode);
    const both = await Promise.all([payWith(tv, key), payWith(token, key, { methodCode: 'pix' })]);
    const [won] = both.filter(({ code }) => code === 0);
    expect(both.map(({ errCode }) => errCode ?? 0).sort((a, b) => a - b)).toEqual([0, 5000]);
    const books = await shop.books();
    expect([books.orders.length, books.attempts.length, books.charges.length]).toEqual([1, 1, 1]);
    expect((await progress(handoverId)).data.order?.orderId).toBe(won?.data.orderId);
  });

  it('shows no earlier failure of its order, only the outcome of the next attempt', async () => {
    const declined = await ana.pay({ card: aCard('4000000000000002') });
    const orderId = declined.params.orderId ?? '';
    shop.clock.advance(1000);
    const { handoverId, userCode } = await opened(tv, { orderId });
    const token = await phone(userCode);
    expect((await progress(handoverId)).data).toMatchObject({ state: 'opened', order: null });
    shop.clock.advance(1000);
    const body = { ...(await ana.body({}, orderId)), orderId };
    await shop.request(endpoints.repay, { body }, { token, idempotencyKey: key });
    expect((await progress(handoverId)).data.order).toEqual({ orderId, status: 'PAYMENT_SUCCEEDED' });
  });

  it('reports its progress only to the session that opened it', async () => {
    const { handoverId } = await opened();
    const bia = await shop.buyer();
    for (const token of [ana.token, bia.token]) expect((await progress(handoverId, token)).errCode).toBe(-3033);
    await shop.request(endpoints.closeHandover, { body: { handoverId } }, { token: ana.token });
    expect((await progress(handoverId)).data.state).toBe('waiting');
  });

  it('is refused for a plan that is not sold and for an order of another customer', async () => {
    expect((await open(tv, { planId: '999' })).errCode).toBe(6001);
    const bia = await shop.buyer();
    const { data } = await bia.pay({ methodCode: 'pix' });
    expect((await open(tv, { orderId: data.orderId })).errCode).toBe(1001);
    expect(await shop.db.select().from(checkoutHandovers)).toEqual([]);
  });
});

describe('the code of a handover', () => {
  it('cannot be used a second time', async () => {
    const { userCode } = await opened();
    expect((await take(userCode)).code).toBe(0);
    expect((await take(userCode)).errCode).toBe(-3033);
    expect((await shop.request(endpoints.deviceQuery, { body: { userCode } })).errCode).toBe(-3033);
  });

  it('works once for simultaneous phones', async () => {
    const { userCode } = await opened();
    const answers = await Promise.all([take(userCode), take(userCode), take(userCode)]);
    expect(answers.map(({ errCode }) => errCode ?? 0).sort((a, b) => a - b)).toEqual([-3033, -3033, 0]);
  });

  it('ends after ten minutes, a refusal, a newer code, and when it is closed on the TV', async () => {
    const old = await opened();
    shop.clock.advance(10 * minuteMs);
    expect((await take(old.userCode)).errCode).toBe(-3034);
    const refused = await opened();
    expect((await take(refused.userCode, undefined, false)).data).toEqual({ purchase: null, user: null });
    expect((await take(refused.userCode)).errCode).toBe(-3033);
    expect((await progress(refused.handoverId)).data.state).toBe('refused');
    const first = await opened();
    const second = await opened();
    expect((await take(first.userCode)).errCode).toBe(-3033);
    await shop.request(endpoints.closeHandover, { body: { handoverId: second.handoverId } }, { token: tv });
    expect((await take(second.userCode)).errCode).toBe(-3033);
  });

  it('ends when the TV is logged out', async () => {
    const { userCode } = await opened();
    const [box] = (await shop.request(endpoints.listBoxes, { body: {} }, { token: ana.token })).data;
    await shop.request(endpoints.endBox, { body: { boxId: box?.boxId ?? '' } }, { token: ana.token });
    expect((await take(userCode)).errCode).toBe(-3033);
  });

  it('cannot be guessed: too many wrong codes block an address on every page', async () => {
    const { userCode } = await opened();
    for (let tries = 0; tries < 20; tries += 1) expect((await take('BBBB-BBBB')).errCode).toBe(-3033);
    expect((await take(userCode)).errCode).toBe(-3031);
    expect((await shop.request(endpoints.deviceQuery, { body: { userCode } })).errCode).toBe(-3031);
  });

  it('is created at most thirty times in ten minutes, and its row is deleted a day after its end', async () => {
    for (let count = 0; count < 30; count += 1) expect((await open()).code).toBe(0);
    expect((await open()).errCode).toBe(-3031);
    expect(await shop.db.select().from(checkoutHandovers)).toHaveLength(1);
    shop.clock.advance(25 * hourMs);
    await deleteExpiredRows(shop.deps);
    expect(await shop.db.select().from(checkoutHandovers)).toEqual([]);
  });
});

describe('the session that a phone gets with a checkout', () => {
  const forOwners = (Object.values(endpoints) as Endpoint[]).filter(({ ownerOnly }) => ownerOnly);

  it('can buy, but cannot change the account', async () => {
    const token = await phone((await opened()).userCode);
    for (const endpoint of forOwners)
      expect((await shop.request(endpoint, anInput(endpoint), { token })).errCode).toBe(-24031);
    expect((await payWith(token, key)).data.status).toBe('PAYMENT_SUCCEEDED');
  });

  it('has the same limits if the TV has a full session', async () => {
    const { userCode } = await opened(ana.token);
    const token = await phone(userCode);
    expect((await shop.request(endpoints.listBoxes, { body: {} }, { token })).errCode).toBe(-24031);
  });

  it('lasts for an hour, cannot hand over a checkout, and can take the next one', async () => {
    const token = await phone((await opened()).userCode);
    expect((await open(token)).errCode).toBe(-24031);
    const next = (await take((await opened()).userCode, token)).data;
    expect(await opens(shop, token)).toBe(false);
    shop.clock.advance(hourMs - 1);
    expect(await opens(shop, next.user?.token ?? '')).toBe(true);
    shop.clock.advance(1);
    expect(await opens(shop, next.user?.token ?? '')).toBe(false);
  });

  it('is not listed as a TV in the account, and ends with the TV it came from', async () => {
    const token = await phone((await opened()).userCode);
    const boxes = (await shop.request(endpoints.listBoxes, { body: {} }, { token: ana.token })).data;
    expect(boxes).toHaveLength(1);
    await shop.request(endpoints.endBox, { body: { boxId: boxes[0]?.boxId ?? '' } }, { token: ana.token });
    expect([await opens(shop, tv), await opens(shop, token)]).toEqual([false, false]);
  });
});
