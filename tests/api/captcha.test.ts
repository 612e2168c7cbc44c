import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRandCode, siteKey, siteVerify } from '#contract/index.ts';
import { type CaptchaOwner } from '#server/auth/captcha/captcha-owner.ts';
import { storeCaptcha, passCaptcha, proves } from '#server/auth/captcha/ticket.ts';
import { captchas } from '#server/db/schema/sign-in.ts';
import { numberFor } from '#tests/fixtures/solve-captcha.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => shop.close());
// past every window of the limits
beforeEach(() => shop.clock.advance(3_600_000));

const ana = { account: 'ana@example.com', type: 'email' } as const;
const owner: CaptchaOwner = { brand: 'lumen', account: ana.account, ip: '127.0.0.1' };
const work = async (account: string = ana.account) =>
  (await shop.request(createRandCode, { body: { kind: 'work', ...ana, account } })).data;
const pass = (captchaId: string, captcha: string, change: Partial<CaptchaOwner> = {}) =>
  passCaptcha(shop.deps, { ...owner, ...change }, { captchaId, captcha });

/** As the script captcha gives one; the answer is a token in truth. */
async function ticket() {
  const letters = 'K7XQP';
  return { letters, ...(await storeCaptcha(shop.deps, owner, letters)) };
}

describe('a ticket', () => {
  it('is accepted once', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, letters)).toBe(true);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is gone after a wrong answer, so that nobody tries again and again', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, 'WRONG')).toBe(false);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is good for five minutes', async () => {
    const first = await ticket();
    expect(first.expiresAt).toBe(shop.clock.now + 300_000);
    shop.clock.advance(299_999);
    expect(await pass(first.captchaId, first.letters)).toBe(true);
    const second = await ticket();
    shop.clock.advance(300_000);
    expect(await pass(second.captchaId, second.letters)).toBe(false);
  });

  it('of one brand opens nothing at another, and stays good at its own', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, letters, { brand: 'mego' })).toBe(false);
    expect(await pass(captchaId, letters)).toBe(true);
  });

  it('of one account opens nothing at another, and is then gone', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, letters, { account: 'eva@example.com' })).toBe(false);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is asked for by whoever sends nothing, or nonsense', async () => {
    expect(await passCaptcha(shop.deps, owner, {})).toBe(false);
    for (const id of ['', 'short', '\0'.repeat(20), "'; drop table captchas; --"])
      expect(await pass(id, 'X')).toBe(false);
  });

  it('keeps its answer nowhere in the clear', async () => {
    const { letters, captchaId } = await ticket();
    const rows = JSON.stringify(await shop.db.select().from(captchas));
    expect(rows).toContain(captchaId);
    expect(rows).not.toContain(letters);
  });
});

async function done(account?: string) {
  const asked = await work(account);
  return { captchaId: asked.captchaId, captcha: numberFor(asked) };
}

const takes = (given: Awaited<ReturnType<typeof done>>, change: Partial<CaptchaOwner> = {}) =>
  proves(shop.deps, { ...owner, ...change }, given, 'work');

describe('proof of work', () => {
  it('the number that a device finds is an answer, once', async () => {
    const given = await done();
    expect(await takes(given)).toBe(true);
    expect(await takes(given)).toBe(false);
  });

  it.each([
    ['account', { account: 'eva@example.com' }],
    ['address', { ip: '203.0.113.9' }],
    ['brand', { brand: 'mego' }],
  ])('it is none for another %s, and stays good for its own', async (_, change) => {
    const given = await done();
    expect(await takes(given, change)).toBe(false);
    expect(await takes(given)).toBe(true);
  });

  it('it is good for a neighbour of the same IPv6 network', async () => {
    const headers = { 'X-Forwarded-For': '2001:db8:1:2::7' };
    const { data } = await shop.request(createRandCode, { body: { kind: 'work', ...ana } }, { headers });
    const given = { captchaId: data.captchaId, captcha: numberFor(data) };
    expect(await takes(given, { ip: '2001:db8:1:3::7' })).toBe(false);
    expect(await takes(given, { ip: '2001:db8:1:2:ffff::1' })).toBe(true);
  });

  it('it is good for five minutes, and nothing about it can be changed', async () => {
    const { captchaId, captcha } = await done();
    const [kind, nonce, until, max, signed] = captchaId.split('.');
    const changed = [
      [kind, nonce, `${until}0`, max, signed],
      [kind, nonce, until, '1', signed],
      [kind, 'a'.repeat(16), until, max, signed],
    ];
    for (const parts of changed) expect(await takes({ captchaId: parts.join('.'), captcha })).toBe(false);
    expect(await takes({ captchaId, captcha: '1' })).toBe(false);
    shop.clock.advance(300_000);
    expect(await takes({ captchaId, captcha })).toBe(false);
  });

  it('asking for it keeps nothing in the shop', async () => {
    const before = (await shop.db.select().from(captchas)).length;
    await done();
    expect(await shop.db.select().from(captchas)).toHaveLength(before);
  });
});

describe('the price of work', () => {
  const sizes = async (count: number, account: (index: number) => string) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await work(account(index))).max + 1);
    return found;
  };

  it('doubles with every five that one network asks for at one account, up to sixteen times', async () => {
    const found = await sizes(30, () => ana.account);
    expect([0, 4, 5, 9, 10, 15, 20, 25, 29].map((index) => (found[index] ?? 0) / 100_000)).toEqual([
      1, 1, 2, 2, 4, 8, 16, 16, 16,
    ]);
  });

  it('rises for a network that asks at many accounts, up to eight times', async () => {
    const found = await sizes(170, (index) => `many${index}@example.com`);
    expect([0, 39, 40, 80, 120, 169].map((index) => (found[index] ?? 0) / 100_000)).toEqual([1, 1, 2, 4, 8, 8]);
  });

  it('rises for an account that many networks ask at, but no more than four times: its owner pays it, too', async () => {
    const found: number[] = [];
    for (let index = 0; index < 260; index += 1) {
      const headers = { 'X-Forwarded-For': `203.0.${index >> 8}.${index & 255}` };
      const { data } = await shop.request(createRandCode, { body: { kind: 'work', ...ana } }, { headers });
      found.push((data.max + 1) / 100_000);
    }
    expect([0, 49, 50, 100, 259].map((index) => found[index])).toEqual([1, 1, 2, 4, 4]);
  });

  it('is forgotten after a quarter of an hour', async () => {
    await sizes(12, () => ana.account);
    shop.clock.advance(15 * 60_000);
    expect((await work()).max).toBe(99_999);
  });
});

it('a page of a version before, which requests a picture, gets proof of work', async () => {
  const { data } = await shop.request(createRandCode, { body: { kind: 'picture', ...ana } });
  expect(data.kind).toBe('work');
});

describe('a shop without a script captcha', () => {
  it('has no key, no frame, and nothing to verify', async () => {
    expect((await shop.request(siteKey, {})).data).toEqual({ key: '', frame: '' });
    const answer = await shop.request(siteVerify, { body: { token: 'anything', language: 'pt', ...ana } });
    expect(answer).toMatchObject({ errCode: -3036, status: 404 });
    expect((await shop.app.request('http://localhost/captcha/frame')).status).toBe(404);
    expect((await shop.app.request('http://localhost/sandbox/captcha/api.js')).status).not.toBe(200);
  });
});
