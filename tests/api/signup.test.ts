import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessionLengthMs } from '#contract/limits.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { mailLinks, throttles } from '#server/db/schema/sign-in.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { aTicket, someWork } from '#tests/builders/a-captcha.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const mego = 'mego.localhost';
const ana = { account: 'ana@example.com', password: 'secret-123' } as const;
const signUp = (change: object = {}, host = mego) =>
  shop.request(endpoints.signup, { body: { ...ana, agreePolicy: true, language: 'pt', ...change } }, { host });
const logIn = (change: object = {}, host = mego) =>
  shop.request(endpoints.login, { body: { ...ana, type: 'email', ...change } }, { host });
const codeFor = async (account: string) => {
  const body = { account, type: 'email', scene: 'signup', language: 'pt' } as const;
  await shop.request(endpoints.sendVerificationCode, { body });
  return shop.lastCode(account);
};

describe('signing up', () => {
  it('creates the account, logs in for ten days and queues a welcome email in the language of the form', async () => {
    const { data } = await signUp();
    expect(data).toMatchObject({ account: 'ana@example.com', type: 'email', payStatus: 'FREE_TRIAL' });
    expect(data).toMatchObject({ accountLoginType: 'email', expiration: testNow + sessionLengthMs });
    const mails = await shop.db.select().from(outbox);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ recipient: 'ana@example.com', brand: 'mego', subject: 'Boas-vindas à Mego' });
  });

  it('without a code requires a verification of the address by the link of the welcome email', async () => {
    const { data } = await signUp();
    const [link] = await shop.db.select().from(mailLinks);
    const [mail] = await shop.db.select().from(outbox);
    expect(link).toMatchObject({ uid: data.uid, brand: 'mego', purpose: 'confirm', email: ana.account });
    expect(mail?.text).toMatch(/http:\/\/mego\.localhost:3000\/activate\?token=[\w-]{43}&language=pt/);
    const [user] = await shop.db.select().from(users);
    expect(user).toMatchObject({ email: ana.account, verifiedAt: null });
  });

  it('stores neither the password nor the token in readable form', async () => {
    const { data } = await signUp();
    const [user] = await shop.db.select().from(users);
    const [session] = await shop.db.select().from(sessions);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$/);
    expect(session?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify([user, session])).not.toContain(data.token);
  });

  it('stores the parameters of the link that led to the form', async () => {
    await signUp({ entry: { sourceType: 'tv', releaseId: 'R7' } });
    const [user] = await shop.db.select().from(users);
    expect(user?.entry).toEqual({ sourceType: 'tv', releaseId: 'R7' });
  });

  it('is refused for an address that is taken in another spelling, and the first account stays', async () => {
    await signUp();
    const again = await signUp({ account: ' ANA@Example.com ', password: 'other-secret' });
    expect(again).toMatchObject({ status: 409, errCode: 6 });
    expect((await logIn()).code).toBe(0);
    expect((await logIn({ password: 'other-secret' })).errCode).toBe(3001);
    expect(await shop.db.select().from(users)).toHaveLength(1);
  });

  it('is refused for an address that was added to a phone account', async () => {
    const { data } = await signUp({ account: '9161234567', type: 'phone' });
    await shop.db.update(users).set({ email: ana.account }).where(eq(users.uid, data.uid));
    expect((await signUp()).errCode).toBe(6);
  });

  it('twice at the same time creates one account', async () => {
    const answers = await Promise.all([signUp(), signUp()]);
    expect(answers.map(({ errCode }) => errCode ?? 0).sort((a, b) => a - b)).toEqual([0, 6]);
    expect(await shop.db.select().from(users)).toHaveLength(1);
  });

  it('is possible with the same address at each brand', async () => {
    await signUp();
    const code = await codeFor(ana.account);
    expect((await signUp({ code }, 'localhost')).code).toBe(0);
  });

  it.each([
    [{ account: 'no-address' }, 8, undefined],
    [{ account: '12', type: 'phone' }, 5000, 'account'],
    [{ account: '12345', type: 'phone' }, 32, undefined],
    [{ password: 'short' }, 5000, 'password'],
    [{ agreePolicy: false }, 5000, 'agreePolicy'],
    [{ nickname: '<b>' }, 5000, 'nickname'],
    [{ language: 'xx' }, 5000, 'language'],
    [{ code: '12345' }, 5000, 'code'],
    [{ admin: true }, 5000, 'admin'],
  ])('is refused for %o with %i', async (change, errCode, field) => {
    const answer = await signUp(change);
    expect(answer).toMatchObject({ status: 400, errCode });
    expect(answer.params.field).toBe(field);
  });

  it('accepts a phone number with its area code as the account, and sends no email', async () => {
    const { data } = await signUp({ account: '(916) 123-45-67', type: 'phone', areaCode: '7' });
    expect(data.account).toBe('79161234567');
    expect((await logIn({ account: '9161234567', type: 'phone', areaCode: '+7' })).code).toBe(0);
    expect(await shop.db.select().from(outbox)).toHaveLength(0);
  });

  it.each([
    ['', 400, 4000],
    ['+999', 403, 5003],
  ])('with a phone number is refused for the invalid area code "%s"', async (areaCode, status, errCode) => {
    const number = { account: '9161234567', type: 'phone', areaCode } as const;
    const refused = { status, errCode, params: { field: 'areaCode' } };
    expect(await signUp(number)).toMatchObject(refused);
    const body = { ...number, scene: 'signup', language: 'pt' } as const;
    expect(await shop.request(endpoints.sendVerificationCode, { body })).toMatchObject(refused);
    expect(await shop.db.select().from(users)).toEqual([]);
  });

  it('requires a captcha after many sign-ups from one address, and accepts it once', async () => {
    await shop.db.insert(throttles).values({ key: 'signup mego 127.0.0.1', count: 100, resetsAt: testNow + 1000 });
    expect((await signUp()).errCode).toBe(-3035);
    const solved = await aTicket(shop, { account: ana.account, brand: 'mego' });
    expect((await signUp(solved)).code).toBe(0);
    expect((await signUp({ ...solved, account: 'eva@example.com' })).errCode).toBe(-3035);
  });

  it('requires proof of work after far too many sign-ups, and then succeeds', async () => {
    await shop.db.insert(throttles).values({ key: 'signup mego 127.0.0.1', count: 300, resetsAt: testNow + 60_000 });
    expect(await signUp()).toMatchObject({ errCode: -3035, params: { way: 'work' } });
    const owner = { account: ana.account, brand: 'mego' };
    expect((await signUp(await aTicket(shop, owner))).params).toEqual({ way: 'work' });
    expect((await signUp(someWork(shop, owner))).code).toBe(0);
  });
});

describe('signing up at a brand that requires a code', () => {
  const signUpHere = (change: object = {}) => signUp(change, 'localhost');

  it('is possible with the emailed code, which verifies the address', async () => {
    const { data } = await signUpHere({ code: await codeFor(ana.account) });
    const [user] = await shop.db.select().from(users).where(eq(users.uid, data.uid));
    expect(user).toMatchObject({ account: ana.account, verifiedAt: testNow });
    const [mail] = await shop.db.select().from(outbox);
    expect(mail?.text).toContain('http://localhost:3000/pricing-table?la=pt');
    expect(await shop.db.select().from(mailLinks)).toEqual([]);
  });

  it('is possible with a code by SMS', async () => {
    const number = { account: '11912345678', type: 'phone', areaCode: '55' } as const;
    await shop.request(endpoints.sendVerificationCode, { body: { ...number, scene: 'signup', language: 'pt' } });
    const code = await shop.lastCode('5511912345678');
    expect((await signUpHere({ ...number, code })).data.account).toBe('5511912345678');
  });

  it('is refused without a code, with a wrong one, and with one that was not requested', async () => {
    expect(await signUpHere()).toMatchObject({ status: 400, errCode: 11, params: {} });
    expect((await signUpHere({ code: '1234' })).errCode).toBe(-3033);
    const code = await codeFor(ana.account);
    const wrong = code === '0000' ? '1111' : '0000';
    expect(await signUpHere({ code: wrong })).toMatchObject({ errCode: 11, params: { triesLeft: 2 } });
    expect((await signUpHere({ code })).code).toBe(0);
  });

  it('reveals that the address has an account only after its code was entered', async () => {
    await shop.customer({ account: ana.account });
    shop.clock.advance(60_000);
    expect((await signUpHere()).errCode).toBe(11);
    const code = await codeFor(ana.account);
    expect((await signUpHere({ code: code === '0000' ? '1111' : '0000' })).errCode).toBe(11);
    expect((await signUpHere({ code })).errCode).toBe(6);
  });

  it('is refused with a code that is ten minutes old', async () => {
    const code = await codeFor(ana.account);
    shop.clock.advance(10 * 60_000);
    expect(await signUpHere({ code })).toMatchObject({ status: 410, errCode: 10 });
  });
});

describe('a code that is entered before the password', () => {
  const lumen = 'localhost';
  const tryCode = (code: string, change: object = {}) =>
    shop.request(endpoints.checkSignupCode, { body: { account: ana.account, code, ...change } }, { host: lumen });
  const wrong = (code: string) => String((Number(code) + 1) % 10_000).padStart(4, '0');

  it('returns a proof that creates an account once, for this address only', async () => {
    const code = await codeFor(ana.account);
    const { proof, expiresAt } = (await tryCode(code)).data;
    expect(expiresAt).toBe(testNow + 60 * 60_000);
    expect((await signUp({ account: 'eva@example.com', proof }, lumen)).errCode).toBe(10);
    expect((await signUp({ proof: `${proof.slice(0, -4)}AAAA` }, lumen)).errCode).toBe(10);
    expect((await signUp({ proof }, lumen)).data.account).toBe(ana.account);
    const [user] = await shop.db.select().from(users);
    expect(user?.verifiedAt).toBe(testNow);
    await shop.db.delete(sessions);
    await shop.db.update(users).set({ account: 'gone@example.com', email: null });
    expect((await signUp({ proof }, lumen)).errCode, 'the same proof again').toBe(10);
  });

  it('is consumed, wrong codes are counted, and the proof expires after an hour', async () => {
    const code = await codeFor(ana.account);
    expect(await tryCode(wrong(code))).toMatchObject({ errCode: 11, params: { triesLeft: 2 } });
    const { proof } = (await tryCode(code)).data;
    expect((await tryCode(code)).errCode).toBe(-3033);
    expect((await signUp({ code }, lumen)).errCode).toBe(-3033);
    shop.clock.advance(60 * 60_000);
    expect((await signUp({ proof }, lumen)).errCode).toBe(10);
  });

  it('is accepted for a phone number with its area code', async () => {
    const number = { account: '11987654321', type: 'phone', areaCode: '55' } as const;
    const codeRequest = { ...number, scene: 'signup', language: 'pt' } as const;
    const { request } = (await shop.request(endpoints.sendVerificationCode, { body: codeRequest }, { host: lumen }))
      .data;
    const { proof } = (await tryCode(await shop.lastCode('5511987654321'), { ...number, request })).data;
    expect((await signUp({ ...number, proof }, lumen)).data.account).toBe('5511987654321');
  });

  it('does not reveal whether the address has an account', async () => {
    await shop.customer({ account: ana.account });
    shop.clock.advance(60_000);
    const answers = [];
    for (const account of [ana.account, 'nobody@example.com']) {
      answers.push(await tryCode('0000', { account }));
      await codeFor(account);
      answers.push(await tryCode(wrong(await shop.lastCode(account)), { account }));
    }
    const errors = answers.map(({ status, errCode, params }) => ({ status, errCode, params }));
    expect(errors.slice(0, 2)).toEqual(errors.slice(2));
    expect(errors[0]?.errCode).toBe(-3033);
    expect((await tryCode(await shop.lastCode(ana.account))).errCode, 'who reads the mail of an account').toBe(6);
  });
});
