import { like } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { throttles } from '#server/db/schema/sign-in.ts';
import { aTicket, someWork } from '#tests/builders/a-captcha.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterEach(() => shop.close());

const ana = { account: 'ana@example.com', password: 'secret-123', type: 'email' } as const;
const quarterMs = 15 * 60_000;
const from = (ip: string) => ({ headers: { 'X-Forwarded-For': ip } });
const logIn = (change: object = {}, ip = '203.0.113.1') =>
  shop.request(endpoints.login, { body: { ...ana, ...change } }, from(ip));
const wrong = { password: 'wrong-password' };

const solved = (brand = 'lumen') => aTicket(shop, { account: ana.account, brand });
const worked = (account: string = ana.account, ip = '203.0.113.1') => someWork(shop, { account, ip });

async function fail(times: number, change: object = {}, ip?: string): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    expect((await logIn({ ...wrong, ...change }, ip)).errCode).toBe(3001);
  }
}

describe('after ten failed logins', () => {
  it('the right password needs a captcha, and with it gets in', async () => {
    await shop.customer(ana);
    await fail(10);
    expect(await logIn()).toMatchObject({ status: 400, errCode: -3035 });
    expect((await logIn({ ...(await solved()), captcha: 'WRONG' })).errCode).toBe(-3035);
    expect((await logIn(await solved())).code).toBe(0);
  });

  it('a captcha is good for one try, and for its own brand', async () => {
    await fail(10);
    const once = await solved();
    expect((await logIn({ ...wrong, ...once })).errCode).toBe(3001);
    expect((await logIn({ ...wrong, ...once })).errCode).toBe(-3035);
    expect((await logIn({ ...wrong, ...(await solved('mego')) })).errCode).toBe(-3035);
  });

  it('a missing captcha uses up nothing', async () => {
    await shop.customer(ana);
    await fail(10);
    for (let round = 0; round < 15; round += 1) expect((await logIn()).errCode).toBe(-3035);
    expect((await logIn(await solved())).code).toBe(0);
  });

  it('other addresses and other brands are not asked for one', async () => {
    await shop.customer(ana);
    await fail(10);
    expect((await logIn({}, '203.0.113.2')).code).toBe(0);
    const elsewhere = { host: 'mego.localhost', ...from('203.0.113.1') };
    expect((await shop.request(endpoints.login, { body: ana }, elsewhere)).errCode).toBe(3001);
  });

  it('nobody is asked after a quarter of an hour', async () => {
    await shop.customer(ana);
    await fail(10);
    shop.clock.advance(quarterMs);
    expect((await logIn()).code).toBe(0);
  });
});

describe('after twenty failed logins', () => {
  it('only work will do at that address, and the right password gets in with it', async () => {
    await shop.customer(ana);
    await fail(10);
    for (let round = 0; round < 10; round += 1) await fail(1, await solved());
    const ticket = await solved();
    expect(await logIn(ticket)).toMatchObject({ status: 400, errCode: -3035, params: { way: 'work' } });
    for (let round = 0; round < 10; round += 1) await fail(1, worked());
    expect((await logIn({}, '203.0.113.2')).code).toBe(0);
    expect((await logIn(worked())).code).toBe(0);
  });

  it('guesses that arrive together are all counted', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, async () => logIn({ ...wrong, ...(await solved()) })));
    const count = (code: number) => answers.filter(({ errCode }) => errCode === code).length;
    expect([count(3001), count(-3035)]).toEqual([20, 10]);
  });
});

it('refuses in the same steps an account that nobody has', async () => {
  await shop.customer(ana);
  const steps = async (account: string, ip: string) => {
    const codes: unknown[] = [];
    for (let round = 0; round < 25; round += 1) {
      const asked = await logIn({ account, ...wrong }, ip);
      codes.push({ errCode: asked.errCode, params: asked.params });
      const { status, errCode, params } = await logIn({ account, ...wrong, ...worked(account, ip) }, ip);
      codes.push({ status, errCode, params });
    }
    return codes;
  };
  expect(await steps('nobody@example.com', '203.0.113.3')).toEqual(await steps(ana.account, '203.0.113.4'));
});

describe('guesses from many places', () => {
  const spent = (key: string, count: number) =>
    shop.db.insert(throttles).values({ key, count, resetsAt: testNow + 90_000 });

  it('make work of the next one, and do not keep the owner out', async () => {
    await shop.customer(ana);
    await spent('login lumen ana@example.com', 100);
    expect(await logIn()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    expect((await logIn(worked())).code).toBe(0);
  });

  it('at many accounts from one address make work there, and nowhere else', async () => {
    await spent('logins from lumen 203.0.113.1', 300);
    expect(await logIn()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    expect((await logIn(worked())).errCode).toBe(3001);
    expect((await logIn({}, '203.0.113.2')).errCode).toBe(3001);
  });
});

it('forgets the failures after a success', async () => {
  await shop.customer(ana);
  for (let round = 0; round < 3; round += 1) {
    await fail(6);
    expect((await logIn()).code).toBe(0);
  }
  expect(
    await shop.db
      .select()
      .from(throttles)
      .where(like(throttles.key, `login lumen ${ana.account}%`)),
  ).toEqual([]);
});

describe('a device that signed in before', () => {
  it('gets in without work while strangers guess at the account', async () => {
    const { deviceToken } = await shop.customer(ana);
    await shop.db.insert(throttles).values([
      { key: 'login lumen ana@example.com', count: 500, resetsAt: testNow + quarterMs },
      { key: 'login lumen ana@example.com 203.0.113.1', count: 500, resetsAt: testNow + quarterMs },
      { key: 'logins from lumen 203.0.113.1', count: 500, resetsAt: testNow + quarterMs },
    ]);
    expect((await logIn()).params).toEqual({ way: 'work' });
    expect((await logIn({ device: deviceToken })).data.deviceToken).toBe(deviceToken);
    // its success says nothing about the strangers' guesses
    expect((await logIn({ device: deviceToken, ...wrong })).errCode).toBe(3001);
    expect((await logIn()).params).toEqual({ way: 'work' });
  });

  it('has ten tries of its own, then needs a captcha, then waits', async () => {
    const { deviceToken: device } = await shop.customer(ana);
    await fail(10, { device });
    expect((await logIn({ device })).errCode).toBe(-3035);
    for (let round = 0; round < 10; round += 1) await fail(1, { device, ...(await solved()) });
    expect((await logIn({ device, ...(await solved()) })).errCode).toBe(17);
    expect((await logIn({})).code).toBe(0);
  });

  it.each([
    ['of another account', async () => (await shop.customer()).deviceToken],
    ['of another brand', async () => (await shop.customer({ ...ana, host: 'mego.localhost' })).deviceToken],
    ['that was made up', async () => `${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['with something added', async () => `${(await logIn()).data.deviceToken}.x`],
  ])('is not one with a token %s', async (_, tokenOf) => {
    await shop.customer(ana);
    const device = await tokenOf();
    await fail(10);
    expect((await logIn({ device })).errCode).toBe(-3035);
    const fresh = await logIn({ device }, '203.0.113.2');
    expect(fresh.data.deviceToken).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(fresh.data.deviceToken).not.toBe(device);
  });
});

describe('a sign-in on a new device', () => {
  const mails = async () =>
    (await shop.db.select().from(outbox)).filter(({ subject }) => subject.startsWith('New sign-in'));

  it('is told to the customer by mail, with device and address', async () => {
    await shop.customer(ana);
    await logIn();
    expect(await mails()).toHaveLength(1);
    expect((await mails())[0]).toMatchObject({ recipient: ana.account, brand: 'lumen' });
    expect((await mails())[0]?.text).toContain('203.0.113.1');
  });

  it('is none at the sign-up, nor on the device that signed up', async () => {
    const { deviceToken } = await shop.customer(ana);
    await logIn({ device: deviceToken });
    expect(await mails()).toEqual([]);
  });
});
