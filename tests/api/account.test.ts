import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { users } from '#server/db/schema/users.ts';
import { anOrder } from '#tests/builders/an-order.ts';
import { anSsoToken } from '#tests/builders/an-sso-token.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const dayMs = 86_400_000;
const pixel =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
const desktop =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0';

const infoOf = async ({ uid, account, token }: { uid: string; account: string; token: string }) =>
  (await shop.request(endpoints.queryInfo, { body: { uid, account, type: 'email' } }, { token })).data;

describe('account info', () => {
  it('of a new customer shows no plan, no expiry and the current session', async () => {
    const user = await shop.customer();
    const { data } = await shop.request(
      endpoints.queryInfo,
      { body: { uid: user.uid, account: user.account, type: 'email' } },
      { token: user.token },
    );
    expect(data).toMatchObject({
      uid: user.uid,
      planId: null,
      planName: null,
      expiredTime: null,
      bizRemainingDays: 0,
      accountCreationTime: testNow,
      userDevice: 0,
      loginApp: false,
      payStatus: 'FREE_TRIAL',
      periods: [],
    });
    expect(data.deviceSessions).toHaveLength(1);
    expect(data.deviceSessions[0]).toMatchObject({ here: true, open: true });
  });

  it('shows the plan name in the language of the request and rounds its days up', async () => {
    const user = await shop.customer();
    const expiredTime = testNow + 30 * dayMs - 1;
    await shop.db.update(users).set({ planId: '103', limitCount: 1, expiredTime }).where(eq(users.uid, user.uid));
    await anOrder(shop.db, user, {
      status: 'PAYMENT_SUCCEEDED',
      planId: '103',
      planNames: { en: 'Yearly', es: 'Anual' },
      serviceEnd: expiredTime,
    });
    const { data } = await shop.request(
      endpoints.queryInfo,
      { body: { uid: user.uid, account: user.account, type: 'email' } },
      { token: user.token, headers: { Language: 'es' } },
    );
    expect(data).toMatchObject({ planId: '103', expiredTime, bizRemainingDays: 30, planName: 'Anual' });
  });

  it('lists the last five logins, newest first, with device, model and IP address', async () => {
    const user = await shop.customer();
    for (let round = 0; round < 6; round += 1) {
      shop.clock.advance(1000);
      await shop.request(
        endpoints.login,
        { body: { account: user.account, password: user.password, type: 'email' } },
        { headers: { 'User-Agent': round === 5 ? pixel : desktop } },
      );
    }
    const { data } = await shop.request(
      endpoints.queryInfo,
      { body: { uid: user.uid, account: user.account, type: 'email' } },
      { token: user.token },
    );
    expect(data.deviceSessions).toHaveLength(5);
    expect(data.deviceSessions[0]).toMatchObject({
      device: 'Android',
      model: 'Pixel 8',
      ip: '127.0.0.1',
      loginAt: testNow + 6000,
      here: false,
      open: true,
    });
    expect(data.deviceSessions[1]).toMatchObject({ device: 'Windows', model: 'Edge 141' });
  });

  it('lists the coming periods and the remaining days of paid orders only, without a trial', async () => {
    const user = await shop.customer();
    const expiredTime = testNow + 100 * dayMs;
    await shop.db.update(users).set({ planId: '101', limitCount: 3, expiredTime }).where(eq(users.uid, user.uid));
    const paid = { status: 'PAYMENT_SUCCEEDED' } as const;
    await anOrder(shop.db, user, { ...paid, serviceStart: testNow - 20 * dayMs, serviceEnd: testNow + 10 * dayMs });
    const { order: year } = await anOrder(shop.db, user, {
      ...paid,
      planNames: { en: 'Yearly' },
      devices: 3,
      serviceStart: testNow + 40 * dayMs,
      serviceEnd: testNow + 70.5 * dayMs,
    });
    const { order: month } = await anOrder(shop.db, user, {
      ...paid,
      serviceStart: testNow + 10 * dayMs,
      serviceEnd: testNow + 40 * dayMs,
    });
    // refunded before it began, past, and another customer's
    const start = testNow + 70 * dayMs;
    await anOrder(shop.db, user, { status: 'REFUND_SUCCEEDED', serviceStart: start, serviceEnd: start });
    await anOrder(shop.db, user, { ...paid, serviceStart: testNow - 60 * dayMs, serviceEnd: testNow - 20 * dayMs });
    await anOrder(shop.db, await shop.customer(), { ...paid, serviceStart: start, serviceEnd: start + dayMs });
    const data = await infoOf(user);
    expect(data.periods.slice(1, 3).map(({ orderId }) => orderId)).toEqual([month.orderId, year.orderId]);
    expect(data.periods[2]).toMatchObject({ planName: 'Yearly', devices: 3, from: testNow + 40 * dayMs });
    expect(data).toMatchObject({ bizRemainingDays: 71, payStatus: 'PAID' });
    shop.clock.advance(101 * dayMs);
    const again = await shop.request(endpoints.login, {
      body: { account: user.account, password: user.password, type: 'email' },
    });
    expect(await infoOf(again.data)).toMatchObject({ bizRemainingDays: 0, payStatus: 'EXPIRED', periods: [] });
  });

  it('shows the plan that runs now, not the one bought last, until that one begins', async () => {
    const user = await shop.customer();
    await shop.db
      .update(users)
      .set({ planId: '103', expiredTime: testNow + 375 * dayMs })
      .where(eq(users.uid, user.uid));
    const paid = { status: 'PAYMENT_SUCCEEDED' } as const;
    const ends = testNow + 5 * dayMs;
    await anOrder(shop.db, user, { ...paid, serviceStart: testNow - 25 * dayMs, serviceEnd: ends });
    await anOrder(shop.db, user, {
      ...paid,
      planId: '103',
      planNames: { en: 'Yearly' },
      serviceStart: ends,
      serviceEnd: ends + 370 * dayMs,
    });
    expect(await infoOf(user)).toMatchObject({
      planId: '101',
      planName: 'One month',
      periods: [{ until: ends }, { from: ends, planName: 'Yearly' }],
    });
    shop.clock.advance(5 * dayMs);
    expect(await infoOf(user)).toMatchObject({ planId: '103', planName: 'Yearly', periods: [{ planId: '103' }] });
  });

  it('counts logged-in TVs and apps as devices in use, and records a login of the app', async () => {
    const user = await shop.customer();
    const { deviceCode, userCode } = await aTvDevice(shop).codes();
    await shop.request(endpoints.deviceConfirm, { body: { userCode, approve: true } }, { token: user.token });
    expect(await infoOf(user)).toMatchObject({ userDevice: 0, loginApp: false });
    await aTvDevice(shop).poll(deviceCode);
    expect(await infoOf(user)).toMatchObject({ userDevice: 1, loginApp: true });
    await shop.request(endpoints.sso, { body: { token: await anSsoToken(shop, { uid: user.uid }) } });
    expect(await infoOf(user)).toMatchObject({ userDevice: 2 });

    const eva = await shop.customer();
    await aTvDevice(shop).codes({ login_token: await anSsoToken(shop, { uid: eva.uid, src: 'qr' }) });
    expect(await infoOf(eva)).toMatchObject({ userDevice: 0, loginApp: true });
  });

  it('is refused to a customer who sends the uid of another', async () => {
    const ana = await shop.customer();
    const eva = await shop.customer();
    const answer = await shop.request(
      endpoints.queryInfo,
      { body: { uid: ana.uid, account: ana.account, type: 'email' } },
      { token: eva.token },
    );
    expect(answer).toMatchObject({ status: 400, errCode: 6699 });
  });
});
