import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessions } from '#server/db/schema/users.ts';
import { systemRandom } from '#server/runtime/random.ts';
import { makeTicket } from '#server/auth/sign-on/google-ticket.ts';
import { ssoKey } from '#server/auth/sign-on/sso-token.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await testApp();
});
afterAll(() => shop.close());

const brand = { code: 'lumen', tenantId: '' };
const signOn = (token: string) => shop.request(endpoints.sso, { body: { token } });

describe('the token of a session', () => {
  it('is 256 bits of chance each time, and a login gives a new one', async () => {
    const { account, password, token: first } = await shop.customer();
    const tokens = new Set([first]);
    for (let times = 0; times < 5; times += 1) {
      const { data } = await shop.request(endpoints.login, { body: { account, type: 'email', password } });
      tokens.add(data.token);
    }
    expect(tokens.size).toBe(6);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  });

  it('ends when the same browser signs in anew, as whomever, and others of the account go on', async () => {
    const ana = await shop.customer();
    const asked = (token: string) => shop.request(endpoints.queryUrv, {}, { token });
    const enter = (who: { account: string; password: string }, token?: string) =>
      shop.request(
        endpoints.login,
        { body: { account: who.account, type: 'email', password: who.password } },
        { token },
      );
    const phone = (await enter(ana)).data.token;
    const again = (await enter(ana, ana.token)).data.token;
    expect((await asked(ana.token)).errCode).toBe(21);
    expect((await asked(phone)).code).toBe(0);
    const bob = await shop.customer();
    const asBob = (await enter(bob, again)).data.token;
    expect((await asked(again)).errCode).toBe(21);
    for (const token of [phone, asBob, bob.token]) expect((await asked(token)).code).toBe(0);
  });

  it('goes on when a login with it is refused', async () => {
    const { token, account } = await shop.customer();
    const body = { account, type: 'email', password: 'not this one' } as const;
    expect((await shop.request(endpoints.login, { body }, { token })).errCode).toBe(3001);
    expect((await shop.request(endpoints.queryUrv, {}, { token })).code).toBe(0);
  });

  it('is nowhere in the table of sessions, only its hash is', async () => {
    const { token } = await shop.customer();
    expect(JSON.stringify(await shop.db.select().from(sessions))).not.toContain(token);
  });

  it('and every other secret comes from the system, without repeating and without favourites', () => {
    const made = Array.from({ length: 2000 }, () => systemRandom.token(32));
    expect(new Set(made).size).toBe(2000);
    const digits = Array.from({ length: 20_000 }, () => systemRandom.text('0123456789', 4)).join('');
    const counts = '0123456789'.split('').map((digit) => digits.split(digit).length - 1);
    // 80,000 digits: 8,000 each, give or take ten times the standard deviation of 85
    for (const count of counts) expect(Math.abs(count - 8000)).toBeLessThan(850);
  });
});

describe('a signed token', () => {
  let claims: Record<string, unknown>;
  let key: Uint8Array;
  const iat = testNow / 1000;
  beforeAll(async () => {
    const { account } = await shop.customer();
    const lumen = shop.deps.catalog.byCode('lumen');
    brand.tenantId = lumen?.tenantId ?? '';
    key = ssoKey(shop.deps.env, brand);
    claims = { aud: brand.tenantId, account, src: 'app', iat };
  });
  const sign = (header: object, secret: Uint8Array | CryptoKey, jti: string) =>
    new SignJWT({ ...claims, jti }).setProtectedHeader({ alg: 'HS256', ...header }).sign(secret);

  it('signs in by the key of the brand', async () => {
    expect((await signOn(await sign({}, key, 'a-good-token'))).code).toBe(0);
  });

  it('is not believed for a key that it brings or points to itself', async () => {
    const own = new TextEncoder().encode('a key that the stranger has chosen');
    const jwk = { kty: 'oct', k: Buffer.from(own).toString('base64url') };
    const headers = [
      { jwk },
      { jku: 'https://evil.example/keys.json' },
      { x5u: 'https://evil.example/cert.pem' },
      { kid: '../../../dev/null' },
    ];
    for (const [index, header] of headers.entries())
      expect((await signOn(await sign(header, own, `own-key-${index}`))).errCode).toBe(-24030);
  });

  it('is not believed by another algorithm than the one, nor by none', async () => {
    const strong = await sign({ alg: 'HS512' }, new Uint8Array(Buffer.concat([key, key])), 'other-algorithm');
    const sameKey = await sign({ alg: 'HS384' }, new Uint8Array(Buffer.concat([key, key])), 'another-one-more');
    const none = new UnsecuredJWT({ ...claims, jti: 'no-algorithm' }).encode();
    for (const token of [strong, sameKey, none]) expect((await signOn(token)).errCode).toBe(-24030);
  });

  it('is not believed when a byte of it was changed', async () => {
    const [header = '', payload = '', signature = ''] = (await sign({}, key, 'changed-token')).split('.');
    const other = Buffer.from(JSON.stringify({ ...claims, account: 'ana@example.com', jti: 'changed-token' }));
    expect((await signOn(`${header}.${other.toString('base64url')}.${signature}`)).errCode).toBe(-24030);
    expect((await signOn(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)).errCode).toBe(-24030);
    expect((await signOn(`${header}.${payload}.`)).errCode).toBe(-24030);
  });

  it('of one kind opens nothing of another: tickets, devices and sessions have keys of their own', async () => {
    const identity = { sub: '1', email: 'new@example.com', emailVerified: true, name: '' };
    const ticket = await makeTicket(shop.deps, brand.code, identity);
    expect((await signOn(ticket)).errCode).not.toBe(undefined);
    const link = await sign({}, key, 'a-link-is-no-ticket');
    const body = { ticket: link, agreePolicy: true, language: 'en' } as const;
    expect((await shop.request(endpoints.googleSignup, { body })).errCode).toBe(-3039);
    const { token, deviceToken } = await shop.customer();
    for (const wrong of [(deviceToken ?? '').replace('.', ''), link.slice(0, 100).replaceAll('.', '')])
      expect((await shop.request(endpoints.queryUrv, {}, { token: wrong })).errCode).toBe(21);
    expect((await shop.request(endpoints.queryUrv, {}, { token })).code).toBe(0);
  });
});
