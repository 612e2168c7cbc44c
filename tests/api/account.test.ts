import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '../../src/contract/index.ts';
import { users } from '../../src/server/db/schema.ts';
import { testApp, testNow, type TestApp } from '../builders/test-app.ts';

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

describe('account info', () => {
  it('of a new customer shows no plan, no expiry and the login that has just been', async () => {
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
      userDevice: 1,
    });
    expect(data.deviceSessions).toHaveLength(1);
  });

  it('names the plan in the language of the request and rounds its days up', async () => {
    const user = await shop.customer();
    const expiredTime = testNow + 30 * dayMs - 1;
    await shop.db.update(users).set({ planId: '103', limitCount: 1, expiredTime }).where(eq(users.uid, user.uid));
    const { data } = await shop.request(
      endpoints.queryInfo,
      { body: { uid: user.uid, account: user.account, type: 'email' } },
      { token: user.token, headers: { Language: 'es' } },
    );
    expect(data).toMatchObject({ planId: '103', expiredTime, bizRemainingDays: 30, planName: 'Anual' });
  });

  it('lists the last five logins, newest first, with device, model and address', async () => {
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
    expect(data.deviceSessions[0]).toEqual({
      device: 'Android',
      model: 'Pixel 8',
      ip: '127.0.0.1',
      loginAt: testNow + 6000,
    });
    expect(data.deviceSessions[1]).toMatchObject({ device: 'Windows', model: 'Edge 141' });
  });

  it('is never told to someone who asks with another uid', async () => {
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
