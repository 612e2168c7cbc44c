import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { ssoKey } from '#server/auth/sign-on/sso-token.ts';
import { aSignedToken, anSsoToken, type TokenOptions } from '#tests/builders/an-sso-token.ts';
import { testApp, type CallOptions, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
let ana: { uid: string; account: string };
beforeEach(async () => {
  shop = await testApp();
  ana = await shop.customer({ account: 'ana@example.com' });
  await shop.db.delete(sessions);
});
afterEach(() => shop.close());

const token = (wish: TokenOptions = {}) => anSsoToken(shop, { uid: ana.uid, ...wish });
const open = (given: string, named: object = {}, options: CallOptions = {}) =>
  shop.request(endpoints.sso, { body: { token: given, ...named } }, options);
const claims = (change: object = {}) => {
  const iat = shop.clock.now / 1000;
  return { aud: 'lumen', sub: ana.uid, src: 'app', jti: 'one-of-a-kind', iat, exp: iat + 3600, ...change };
};

describe('a login link from the app', () => {
  it('logs its customer in, by user id or account', async () => {
    const { data } = await open(await token());
    expect(data).toMatchObject({ uid: ana.uid, account: 'ana@example.com', accountLoginType: 'sso' });
    const other = await anSsoToken(shop, { account: 'Ana@Example.com' });
    expect((await open(other)).data.uid).toBe(ana.uid);
    const own = await shop.request(endpoints.orders, { body: { page: 1, size: 1 } }, { token: data.token });
    expect(own.code).toBe(0);
  });

  it('opens one session and cannot be used again', async () => {
    const link = await token();
    expect((await open(link)).code).toBe(0);
    expect((await open(link)).errCode).toBe(-24030);
    expect(await shop.db.select().from(sessions)).toHaveLength(1);
  });

  it('opens one session if it is used ten times at once', async () => {
    const link = await token();
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(link)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(answers.filter(({ errCode }) => errCode === -24030)).toHaveLength(9);
    expect(await shop.db.select().from(sessions)).toHaveLength(1);
  });

  it('stays valid after a server error', async () => {
    const link = await token();
    const broken = {
      ...shop.deps.random,
      token: () => {
        throw new Error('no chance today');
      },
    };
    const failing = await testApp({ db: shop.db, deps: () => ({ random: broken }) });
    const failed = await failing.request(endpoints.sso, { body: { token: link } });
    expect(failed.errCode).toBe(-1112);
    expect((await open(link)).code).toBe(0);
  });
});

describe('the lifetime of a login token', () => {
  it('is a minute for a link and ten minutes for a QR code', async () => {
    const links = [await token(), await token()];
    const codes = [await token({ src: 'qr' }), await token({ src: 'qr' })];
    shop.clock.advance(60_000);
    expect((await open(links[0] ?? '')).code).toBe(0);
    shop.clock.advance(1000);
    expect((await open(links[1] ?? '')).errCode).toBe(-24020);
    shop.clock.advance(539_000);
    expect((await open(codes[0] ?? '')).code).toBe(0);
    shop.clock.advance(1000);
    expect((await open(codes[1] ?? '')).errCode).toBe(-24020);
  });

  it('is not extended by its exp claim, but can be shortened', async () => {
    const now = shop.clock.now / 1000;
    const long = await aSignedToken(shop, claims({ iat: now - 61, exp: now + 86_400 }));
    expect((await open(long)).errCode).toBe(-24020);
    const short = await aSignedToken(shop, claims({ iat: now - 30, exp: now - 1 }));
    expect((await open(short)).errCode).toBe(-24020);
    const without = await aSignedToken(shop, claims({ exp: undefined }));
    expect((await open(without)).code).toBe(0);
  });

  it('follows the settings', async () => {
    const strict = await testApp({ db: shop.db, env: { SSO_APP_SECONDS: '10' } });
    const link = await token();
    strict.clock.advance(11_000);
    expect((await strict.request(endpoints.sso, { body: { token: link } })).errCode).toBe(-24020);
  });

  it('does not start in the future, with a tolerance for clock differences', async () => {
    expect((await open(await token({ issuedAt: shop.clock.now + 11_000 }))).errCode).toBe(-24030);
    expect((await open(await token({ issuedAt: shop.clock.now + 10_000 }))).code).toBe(0);
  });
});

describe('an invalid login token', () => {
  it('is reported as missing if it is empty', async () => {
    expect((await open('')).errCode).toBe(-24010);
    expect((await open('  ')).errCode).toBe(-24010);
  });

  it('is refused if it is malformed, or signed with another key or algorithm', async () => {
    const good = await token();
    const [header, body, signature] = good.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const foreignKey = new Uint8Array(32).fill(7);
    const long = new Uint8Array(64).fill(7);
    const broken = [
      'no token',
      `${header}.${body}`,
      `${header}.${body}.${signature?.split('').toReversed().join('')}`,
      none,
      await aSignedToken(shop, claims(), foreignKey),
      await aSignedToken(shop, claims(), long, 'HS512'),
      await aSignedToken(shop, claims(), Buffer.concat([ssoKey(shop.deps.env, { code: 'lumen' }), long]), 'HS512'),
    ];
    for (const one of broken) expect((await open(one)).errCode, one).toBe(-24030);
    expect(await shop.db.select().from(sessions)).toEqual([]);
  });

  it('is refused without one of its claims', async () => {
    const wrong = [
      { sub: undefined },
      { src: 'mail' },
      { jti: undefined },
      { jti: 'short' },
      { iat: undefined },
      { iat: 'now' },
      { aud: undefined },
      { aud: ['lumen', 'mego'], jti: 'two of them' },
      { sub: 'a\u0000b' },
      { nbf: shop.clock.now / 1000 + 60 },
    ];
    for (const change of wrong) {
      const answer = await open(await aSignedToken(shop, claims(change)));
      expect(answer.errCode, JSON.stringify(change)).toBe(-24030);
    }
  });

  it('is refused at another brand, and by its brand for an unknown customer', async () => {
    const link = await token();
    expect((await open(link, {}, { host: 'mego.localhost' })).errCode).toBe(-2223);
    const forged = await aSignedToken(shop, claims({ aud: 'mego' }));
    expect((await open(forged, {}, { host: 'mego.localhost' })).errCode).toBe(-24030);
    const forOtherBrand = await token({ brand: 'mego' });
    expect((await open(forOtherBrand, {}, { host: 'mego.localhost' })).errCode).toBe(-24031);
    expect((await open(link)).code).toBe(0);
  });

  it('is refused for an unknown customer and for an ambiguous one', async () => {
    const nobody = await anSsoToken(shop, { uid: 'nobody' });
    expect((await open(nobody)).errCode).toBe(-24031);
    const unknown = await anSsoToken(shop, { account: 'nobody@example.com' });
    expect((await open(unknown)).errCode).toBe(-24031);
    await shop.customer({ account: 'bia@example.com' });
    expect((await open(await token({ account: 'bia@example.com' }))).errCode).toBe(-24031);
  });
});

describe('limits of login links', () => {
  it('refuse an account that may not log in, on a TV with the code of its notice page', async () => {
    await shop.db.update(users).set({ userType: 'RESELLER' }).where(eq(users.uid, ana.uid));
    const link = await token();
    expect((await open(link)).errCode).toBe(197);
    expect((await open(link, {}, { headers: { Scene: 'STB' } })).errCode).toBe(201);
  });

  it('allow sixty attempts a minute per network', async () => {
    for (let index = 0; index < 60; index += 1) expect((await open('broken')).errCode).toBe(-24030);
    const busy = await open(await token());
    expect(busy).toMatchObject({ errCode: -24040, params: { waitSeconds: 60 } });
    shop.clock.advance(60_000);
    expect((await open(await token())).code).toBe(0);
  });
});
