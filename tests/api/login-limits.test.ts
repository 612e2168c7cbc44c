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
  it('the right password needs a captcha, and logs in with it', async () => {
    await shop.customer(ana);
    await fail(10);
    expect(await logIn()).toMatchObject({ status: 400, errCode: -3035 });
    expect((await logIn({ ...(await solved()), captcha: 'WRONG' })).errCode).toBe(-3035);
    expect((await logIn(await solved())).code).toBe(0);
  });

  it('a captcha is valid for one try and for its own brand', async () => {
    await fail(10);
    const once = await solved();
    expect((await logIn({ ...wrong, ...once })).errCode).toBe(3001);
    expect((await logIn({ ...wrong, ...once })).errCode).toBe(-3035);
    expect((await logIn({ ...wrong, ...(await solved('mego')) })).errCode).toBe(-3035);
  });

  it('a missing captcha does not count as a try', async () => {
    await shop.customer(ana);
    await fail(10);
    for (let round = 0; round < 15; round += 1) expect((await logIn()).errCode).toBe(-3035);
    expect((await logIn(await solved())).code).toBe(0);
  });

  it('other IP addresses and other brands need no captcha', async () => {
    await shop.customer(ana);
    await fail(10);
    expect((await logIn({}, '203.0.113.2')).code).toBe(0);
    const elsewhere = { host: 'mego.localhost', ...from('203.0.113.1') };
    expect((await shop.request(endpoints.login, { body: ana }, elsewhere)).errCode).toBe(3001);
  });

  it('no captcha is needed after a quarter of an hour', async () => {
    await shop.customer(ana);
    await fail(10);
    shop.clock.advance(quarterMs);
    expect((await logIn()).code).toBe(0);
  });
});

describe('after twenty failed logins', () => {
  it('that IP address needs proof of work, and the right password logs in with it', async () => {
    await shop.customer(ana);
    await fail(10);
    for (let round = 0; round < 10; round += 1) await fail(1, await solved());
    const ticket = await solved();
    expect(await logIn(ticket)).toMatchObject({ status: 400, errCode: -3035, params: { way: 'work' } });
    for (let round = 0; round < 10; round += 1) await fail(1, worked());
    expect((await logIn({}, '203.0.113.2')).code).toBe(0);
    expect((await logIn(worked())).code).toBe(0);
  });

  it('simultaneous guesses are all counted', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, async () => logIn({ ...wrong, ...(await solved()) })));
    const count = (code: number) => answers.filter(({ errCode }) => errCode === code).length;
    expect([count(3001), count(-3035)]).toEqual([20, 10]);
  });
});

it('an unknown account is refused with the same steps as an existing one', { tags: 'slow' }, async () => {
  await shop.customer(ana);
  const steps = async (account: string, ip: string) => {
    const codes: unknown[] = [];
    for (let round = 0; round < 25; round += 1) {
      const plain = await logIn({ account, ...wrong }, ip);
      codes.push({ errCode: plain.errCode, params: plain.params });
      const { status, errCode, params } = await logIn({ account, ...wrong, ...worked(account, ip) }, ip);
      codes.push({ status, errCode, params });
    }
    return codes;
  };
  expect(await steps('nobody@example.com', '203.0.113.3')).toEqual(await steps(ana.account, '203.0.113.4'));
});

describe('guesses from many IP addresses', () => {
  const spent = (key: string, count: number) =>
    shop.db.insert(throttles).values({ key, count, resetsAt: testNow + 90_000 });

  it('require proof of work for the next login, and do not lock the owner out', async () => {
    await shop.customer(ana);
    await spent('login lumen ana@example.com', 100);
    expect(await logIn()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    expect((await logIn(worked())).code).toBe(0);
  });

  it('of many accounts from one IP address require proof of work only there', async () => {
    await spent('logins from lumen 203.0.113.1', 300);
    expect(await logIn()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    expect((await logIn(worked())).errCode).toBe(3001);
    expect((await logIn({}, '203.0.113.2')).errCode).toBe(3001);
  });
});

it('a successful login clears the failures', async () => {
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

describe('a known device', () => {
  it('logs in without proof of work while others guess the password', async () => {
    const { deviceToken } = await shop.customer(ana);
    await shop.db.insert(throttles).values([
      { key: 'login lumen ana@example.com', count: 500, resetsAt: testNow + quarterMs },
      { key: 'login lumen ana@example.com 203.0.113.1', count: 500, resetsAt: testNow + quarterMs },
      { key: 'logins from lumen 203.0.113.1', count: 500, resetsAt: testNow + quarterMs },
    ]);
    expect((await logIn()).params).toEqual({ way: 'work' });
    expect((await logIn({ device: deviceToken })).data.deviceToken).toBe(deviceToken);
    // Its success does not clear the guesses of others.
    expect((await logIn({ device: deviceToken, ...wrong })).errCode).toBe(3001);
    expect((await logIn()).params).toEqual({ way: 'work' });
  });

  it('has ten tries of its own, then needs a captcha, and is then blocked', async () => {
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
    ['that is forged', async () => `${'a'.repeat(22)}.${'b'.repeat(43)}`],
    ['with an added suffix', async () => `${(await logIn()).data.deviceToken}.x`],
  ])('is not recognised by a token %s', async (_, tokenOf) => {
    await shop.customer(ana);
    const device = await tokenOf();
    await fail(10);
    expect((await logIn({ device })).errCode).toBe(-3035);
    const fresh = await logIn({ device }, '203.0.113.2');
    expect(fresh.data.deviceToken).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect(fresh.data.deviceToken).not.toBe(device);
  });
});

describe('a login on a new device', () => {
  const mails = async () =>
    (await shop.db.select().from(outbox)).filter(({ subject }) => subject.startsWith('New login'));

  it('is reported to the customer by email with its IP address', async () => {
    await shop.customer(ana);
    await logIn();
    expect(await mails()).toHaveLength(1);
    expect((await mails())[0]).toMatchObject({ recipient: ana.account, brand: 'lumen' });
    expect((await mails())[0]?.text).toContain('203.0.113.1');
  });

  it('is not reported at the sign-up and on the device of the sign-up', async () => {
    const { deviceToken } = await shop.customer(ana);
    await logIn({ device: deviceToken });
    expect(await mails()).toEqual([]);
  });
});
