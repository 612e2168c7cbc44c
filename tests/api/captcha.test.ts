import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRandCode, siteKey, siteVerify } from '#contract/index.ts';
import { type CaptchaOwner } from '#server/auth/captcha/captcha-owner.ts';
import { storeCaptcha, consumeCaptcha, verifyCaptchaTicket } from '#server/auth/captcha/ticket.ts';
import { captchas } from '#server/db/schema/sign-in.ts';
import { numberFor } from '#tests/fixtures/solve-captcha.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp({ env: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => shop.close());
// Move past every rate-limit window.
beforeEach(() => shop.clock.advance(3_600_000));

const ana = { account: 'ana@example.com', type: 'email' } as const;
const owner: CaptchaOwner = { brand: 'lumen', account: ana.account, ip: '127.0.0.1' };
const work = async (account: string = ana.account) =>
  (await shop.request(createRandCode, { body: { kind: 'work', ...ana, account } })).data;
const pass = (captchaId: string, captcha: string, change: Partial<CaptchaOwner> = {}) =>
  consumeCaptcha(shop.deps, { ...owner, ...change }, { captchaId, captcha });

/** Like a ticket of the script captcha, where the answer is a token. */
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

  it('is consumed by a wrong answer, so that it cannot be tried repeatedly', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, 'WRONG')).toBe(false);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is valid for five minutes', async () => {
    const first = await ticket();
    expect(first.expiresAt).toBe(shop.clock.now + 300_000);
    shop.clock.advance(299_999);
    expect(await pass(first.captchaId, first.letters)).toBe(true);
    const second = await ticket();
    shop.clock.advance(300_000);
    expect(await pass(second.captchaId, second.letters)).toBe(false);
  });

  it('of one brand is refused at another, and stays valid at its own', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, letters, { brand: 'mego' })).toBe(false);
    expect(await pass(captchaId, letters)).toBe(true);
  });

  it('of one account is refused for another, and is consumed', async () => {
    const { captchaId, letters } = await ticket();
    expect(await pass(captchaId, letters, { account: 'eva@example.com' })).toBe(false);
    expect(await pass(captchaId, letters)).toBe(false);
  });

  it('is required from a caller who sends nothing or an invalid id', async () => {
    expect(await consumeCaptcha(shop.deps, owner, {})).toBe(false);
    for (const id of ['', 'short', '\0'.repeat(20), "'; drop table captchas; --"])
      expect(await pass(id, 'X')).toBe(false);
  });

  it('is stored without its answer in clear text', async () => {
    const { letters, captchaId } = await ticket();
    const rows = JSON.stringify(await shop.db.select().from(captchas));
    expect(rows).toContain(captchaId);
    expect(rows).not.toContain(letters);
  });
});

async function solveWork(account?: string) {
  const task = await work(account);
  return { captchaId: task.captchaId, captcha: numberFor(task) };
}

const isAccepted = (solved: Awaited<ReturnType<typeof solveWork>>, change: Partial<CaptchaOwner> = {}) =>
  verifyCaptchaTicket(shop.deps, { ...owner, ...change }, solved, 'work');

describe('proof of work', () => {
  it('is accepted once with the number that the device finds', async () => {
    const solved = await solveWork();
    expect(await isAccepted(solved)).toBe(true);
    expect(await isAccepted(solved)).toBe(false);
  });

  it.each([
    ['account', { account: 'eva@example.com' }],
    ['address', { ip: '203.0.113.9' }],
    ['brand', { brand: 'mego' }],
  ])('is refused for another %s, and stays valid for its own', async (_, change) => {
    const solved = await solveWork();
    expect(await isAccepted(solved, change)).toBe(false);
    expect(await isAccepted(solved)).toBe(true);
  });

  it('is valid for another address of the same IPv6 network', async () => {
    const headers = { 'X-Forwarded-For': '2001:db8:1:2::7' };
    const { data } = await shop.request(createRandCode, { body: { kind: 'work', ...ana } }, { headers });
    const solved = { captchaId: data.captchaId, captcha: numberFor(data) };
    expect(await isAccepted(solved, { ip: '2001:db8:1:3::7' })).toBe(false);
    expect(await isAccepted(solved, { ip: '2001:db8:1:2:ffff::1' })).toBe(true);
  });

  it('is valid for five minutes, and no part of it can be changed', async () => {
    const { captchaId, captcha } = await solveWork();
    const [kind, nonce, until, max, signed] = captchaId.split('.');
    const changed = [
      [kind, nonce, `${until}0`, max, signed],
      [kind, nonce, until, '1', signed],
      [kind, 'a'.repeat(16), until, max, signed],
    ];
    for (const parts of changed) expect(await isAccepted({ captchaId: parts.join('.'), captcha })).toBe(false);
    expect(await isAccepted({ captchaId, captcha: '1' })).toBe(false);
    shop.clock.advance(300_000);
    expect(await isAccepted({ captchaId, captcha })).toBe(false);
  });

  it('stores nothing when it is requested', async () => {
    const before = (await shop.db.select().from(captchas)).length;
    await solveWork();
    expect(await shop.db.select().from(captchas)).toHaveLength(before);
  });
});

describe('the difficulty of the work', () => {
  const sizes = async (count: number, account: (index: number) => string) => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await work(account(index))).max + 1);
    return found;
  };

  it('doubles with every five requests of one network for one account, up to sixteen times', async () => {
    const found = await sizes(30, () => ana.account);
    expect([0, 4, 5, 9, 10, 15, 20, 25, 29].map((index) => (found[index] ?? 0) / 100_000)).toEqual([
      1, 1, 2, 2, 4, 8, 16, 16, 16,
    ]);
  });

  it('rises for a network with requests for many accounts, up to eight times', async () => {
    const found = await sizes(170, (index) => `many${index}@example.com`);
    expect([0, 39, 40, 80, 120, 169].map((index) => (found[index] ?? 0) / 100_000)).toEqual([1, 1, 2, 4, 8, 8]);
  });

  it('rises for an account requested by many networks, at most four times, because its owner pays too', async () => {
    const found: number[] = [];
    for (let index = 0; index < 260; index += 1) {
      const headers = { 'X-Forwarded-For': `203.0.${index >> 8}.${index & 255}` };
      const { data } = await shop.request(createRandCode, { body: { kind: 'work', ...ana } }, { headers });
      found.push((data.max + 1) / 100_000);
    }
    expect([0, 49, 50, 100, 259].map((index) => found[index])).toEqual([1, 1, 2, 4, 4]);
  });

  it('returns to normal after a quarter of an hour', async () => {
    await sizes(12, () => ana.account);
    shop.clock.advance(15 * 60_000);
    expect((await work()).max).toBe(99_999);
  });
});

it('a page of the previous version, which requests a picture, gets proof of work', async () => {
  const { data } = await shop.request(createRandCode, { body: { kind: 'picture', ...ana } });
  expect(data.kind).toBe('work');
});

describe('a shop without a script captcha', () => {
  it('has no key and no frame, and verifies nothing', async () => {
    expect((await shop.request(siteKey, {})).data).toEqual({ key: '', frame: '' });
    const answer = await shop.request(siteVerify, { body: { token: 'anything', language: 'pt', ...ana } });
    expect(answer).toMatchObject({ errCode: -3036, status: 404 });
    expect((await shop.app.request('http://localhost/captcha/frame')).status).toBe(404);
    expect((await shop.app.request('http://localhost/sandbox/captcha/api.js')).status).not.toBe(200);
  });
});
