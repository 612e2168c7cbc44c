import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeScene } from '#contract/codes.ts';
import { failedCodesKey } from '#server/auth/code-guesses.ts';
import { messageRequests, verificationCodes } from '#server/db/schema/sign-in.ts';
import { aTicket } from '#tests/builders/a-captcha.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';
import { ana, codeCalls, dayMs, minuteMs } from '#tests/builders/code-calls.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterEach(() => shop.close());

const { ask, enter, asked, worked, customer, spent } = codeCalls(() => shop);

describe('requesting a code', () => {
  it('creates four digits, which are stored only as a hash', async () => {
    const code = await asked();
    expect(code).toMatch(/^\d{4}$/);
    const [row] = await shop.db.select().from(verificationCodes);
    expect(row).toMatchObject({ brand: 'lumen', account: ana.account, scene: 'login', triesLeft: 3 });
    expect(row?.codeHash).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.expiresAt).toBe(testNow + 10 * minuteMs);
  });

  it('answers and writes the same whether the account exists or not', async () => {
    await customer();
    const answers = [];
    for (const account of [ana.account, 'nobody@example.com']) {
      for (const scene of ['login', 'signup', 'reset'] as const satisfies CodeScene[]) {
        const { status, code, data } = await ask({ account, scene });
        answers.push({ account, scene, status, code, waitSeconds: data.waitSeconds, request: data.request.length });
        shop.clock.advance(minuteMs);
      }
    }
    expect(answers.slice(0, 3).map((one) => ({ ...one, account: '' }))).toEqual(
      answers.slice(3).map((one) => ({ ...one, account: '' })),
    );
    const rows = await shop.db.select().from(messageRequests);
    expect(rows.filter(({ account }) => account === ana.account)).toHaveLength(3);
    expect(rows.filter(({ account }) => account === 'nobody@example.com')).toHaveLength(3);
  });

  it('requires a minute between two requests, whatever their purpose', async () => {
    expect((await ask()).data.waitSeconds).toBe(60);
    shop.clock.advance(20_000);
    const early = await ask({ scene: 'reset' });
    expect(early).toMatchObject({ status: 429, errCode: -3031, params: { waitSeconds: 40 } });
    shop.clock.advance(40_000);
    expect((await ask()).code).toBe(0);
  });

  it('allows three a day for each purpose, and more with proof of work', async () => {
    const ticket = { account: ana.account };
    for (const scene of ['login', 'signup', 'reset'] as const satisfies CodeScene[]) {
      for (let round = 0; round < 3; round += 1) {
        expect((await ask({ scene })).data.waitSeconds).toBe(60);
        shop.clock.advance(minuteMs);
      }
      expect(await ask({ scene })).toMatchObject({ errCode: -3035, params: { way: 'work' } });
      expect((await ask({ scene, ...(await aTicket(shop, ticket)) })).errCode).toBe(-3035);
      expect((await ask({ scene, ...worked() })).code).toBe(0);
      shop.clock.advance(minuteMs);
    }
    shop.clock.advance(dayMs);
    expect((await ask()).code).toBe(0);
  });

  it('creates one code for many simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await shop.db.select().from(messageRequests)).toHaveLength(1);
  });

  it('requires a captcha from an address with many requests', async () => {
    await spent('code from lumen 203.0.113.1', 100, minuteMs);
    expect((await ask()).errCode).toBe(-3035);
    expect((await ask(await aTicket(shop, ana))).code).toBe(0);
    expect((await ask({ account: 'eva@example.com' }, { ip: '203.0.113.2' })).code).toBe(0);
  });

  it('requires proof of work from an address with far too many requests', async () => {
    await spent('code from lumen 203.0.113.1', 300, minuteMs);
    expect(await ask()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    expect((await ask(worked())).code).toBe(0);
  });

  it('requires a captcha from all visitors of a brand with a thousand wrong codes in a day', async () => {
    await spent('code failures lumen', 1000, dayMs);
    expect((await ask()).errCode).toBe(-3035);
    expect((await ask({ scene: 'reset' }, { host: 'mego.localhost' })).code).toBe(0);
    expect((await ask(await aTicket(shop, ana))).code).toBe(0);
  });

  it('is refused for an account with a hundred wrong codes in total', async () => {
    await spent(failedCodesKey(shop.deps, { brand: 'lumen', account: 'ana@example.com' }), 100, 50 * 365 * dayMs);
    expect(await ask()).toMatchObject({ status: 422, errCode: 4598 });
    expect((await enter('1234')).errCode).toBe(4598);
  });

  it.each([
    [{ account: 'no-address' }, 8],
    [{ account: '12345', type: 'phone' }, 32],
    [{ scene: 'delete' }, 5000],
  ])('is refused for %o with %i', async (change, errCode) => {
    expect(await ask(change)).toMatchObject({ status: 400, errCode });
  });

  it('is refused for a login at a brand without code login', async () => {
    expect((await ask({}, { host: 'mego.localhost' })).errCode).toBe(4598);
    expect((await enter('1234', {}, { host: 'mego.localhost' })).errCode).toBe(4598);
  });
});
