import { UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import * as endpoints from '#contract/index.ts';
import type { UserInfo } from '#contract/user.ts';
import { aDpopKey } from '#tests/builders/a-dpop-key.ts';
import { aTvDevice } from '#tests/builders/a-tv-device.ts';
import { testApp, type TestApp } from '#tests/builders/test-app.ts';

type Key = Awaited<ReturnType<typeof aDpopKey>>;
type ProofOptions = Partial<Parameters<Key['proof']>[1]>;

const { login, loginOut, orders, saveNickname, supportPhone } = endpoints;
const account = 'ana@example.com';
/** `invalidToken` and `staleProof` */
const [refused, stale] = [21, 4600];

let shop: TestApp;
let key: Key;
beforeEach(async () => {
  shop = await testApp();
  key = await aDpopKey();
  await shop.customer({ account });
});
afterEach(() => shop.close());

/** The proof of a call at this moment. */
const prove = (endpoint: Endpoint, change: ProofOptions = {}) =>
  key.proof(endpoint, { now: shop.clock.now, ...change });

const credentials = { body: { account, type: 'email', password: 'secret-123' } } as const;
const logIn = async (headers?: Record<string, string>, host?: string) =>
  (await shop.request(login, credentials, { headers, host })).data;
const bound = async (): Promise<UserInfo> => logIn(await prove(login));

const page = { body: { page: 1, size: 1 } };
const read = async (token: string, headers?: Record<string, string>) => {
  const { code, errCode, params } = await shop.request(orders, page, { token, headers });
  return code === 0 ? 'answered' : (params.field ?? errCode);
};
const rename = async (token: string, headers?: Record<string, string>) =>
  (await shop.request(saveNickname, { body: { nickname: 'Ana' } }, { token, headers })).code;

const counted = async (fault: string) => {
  const { values = [] } = (await shop.deps.metrics.registry.getSingleMetric('dpop_refusals_total')?.get()) ?? {};
  return values.filter(({ labels }) => labels['fault'] === fault).reduce((sum, { value }) => sum + value, 0);
};

describe('a token that is bound to the key of a browser', () => {
  it('is accepted with a proof for the call, and refused alone, as if it had ended', async () => {
    const { token, tokenType } = await bound();
    expect(tokenType).toBe('DPoP');
    expect(await read(token, await prove(orders, { token }))).toBe('answered');
    expect(await read(token)).toBe(refused);
    expect(await counted('missing')).toBe(1);
  });

  it('is refused with the proof of another key, for another token, and for none', async () => {
    const { token } = await bound();
    const thief = await aDpopKey();
    expect(await read(token, await thief.proof(orders, { now: shop.clock.now, token }))).toBe(refused);
    const another = await bound();
    expect(await read(token, await prove(orders, { token: another.token }))).toBe(refused);
    expect(await read(token, await prove(orders))).toBe(refused);
    expect(await counted('foreign')).toBe(3);
  });

  it.each([
    ['another call', { claims: { htu: `http://localhost${saveNickname.path}` } }],
    ['another host', { origin: 'http://mego.localhost' }],
    ['another scheme', { origin: 'https://localhost' }],
    ['another method', { claims: { htm: 'GET' } }],
    ['an address that is none', { claims: { htu: 'localhost' } }],
    ['no identifier', { claims: { jti: undefined } }],
    ['an identifier without end', { claims: { jti: 'x'.repeat(129) } }],
    ['no time', { claims: { iat: undefined } }],
    ['another type of token', { header: { typ: 'JWT' } }],
    ['a private key inside', { withPrivateKey: true }],
  ])(
    'is refused with a proof for %s',
    async (_, { withPrivateKey, ...change }: ProofOptions & { withPrivateKey?: boolean }) => {
      const { token } = await bound();
      const jwk = { ...key.jwk, d: 'AAAA' };
      const header = withPrivateKey ? { header: { jwk } } : {};
      expect(await read(token, await prove(orders, { token, ...change, ...header }))).toBe('DPoP');
    },
  );

  it.each(['', 'a.b', 'a.b.c', 'a.b.c, d.e.f', `${'a'.repeat(2001)}.b.c`, '..', 'eyJ.eyJ.A', 'null', '\u00e9.a.b'])(
    'is refused with the unreadable proof %j',
    async (DPoP) => {
      const { token } = await bound();
      expect(await read(token, { DPoP })).toBe('DPoP');
    },
  );

  it.each([
    ['beside the curve', { x: 'AAAA' }],
    ['of another curve', { crv: 'P-384' }],
    ['of another kind', { kty: 'RSA' }],
    ['without a coordinate', { y: undefined }],
    ['with a number for a coordinate', { y: 7 }],
    ['for encryption only', { key_ops: ['encrypt'] }],
  ])('is refused with a proof whose key is %s', async (_, change) => {
    const { token } = await bound();
    expect(await read(token, await prove(orders, { token, header: { jwk: { ...key.jwk, ...change } } }))).toBe('DPoP');
  });

  it('is refused with a proof without a signature, and with one by another algorithm', async () => {
    const { token } = await bound();
    const DPoP = new UnsecuredJWT({ jti: 'a', htm: 'POST', htu: `http://localhost${orders.path}` }).encode();
    expect(await read(token, { DPoP: `${DPoP}e30` })).toBe('DPoP');
    const other = await aDpopKey('RS256');
    expect(await read(token, await other.proof(orders, { now: shop.clock.now, token }))).toBe('DPoP');
  });

  it('asks for a proof with the time of its answer, if the clock of the browser is wrong', async () => {
    const { token } = await bound();
    const at = (ms: number) => prove(orders, { token, now: shop.clock.now + ms });
    expect(await read(token, await at(-299_000))).toBe('answered');
    expect(await read(token, await at(59_000))).toBe('answered');
    expect(await read(token, await at(-302_000))).toBe(stale);
    expect(await read(token, await at(62_000))).toBe(stale);
    const { headers } = await shop.request(orders, page, { token, headers: await at(1e9) });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('accepts a proof of a write once, also at the same time, and that of a read again', async () => {
    const { token } = await bound();
    const write = await prove(saveNickname, { token });
    const codes = await Promise.all([rename(token, write), rename(token, write), rename(token, write)]);
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, stale, stale]);
    expect(await rename(token, await prove(saveNickname, { token }))).toBe(0);
    const query = await prove(orders, { token });
    expect([await read(token, query), await read(token, query)]).toEqual(['answered', 'answered']);
  });

  it('ends by a logout without a proof, so that a page that closes can send it', async () => {
    const { token, uid } = await bound();
    await shop.request(loginOut, { body: { language: 'en', uid, account: '' } }, { token });
    expect(await read(token, await prove(orders, { token }))).toBe(refused);
  });

  it('is answered as a visitor by calls that are for everyone', async () => {
    const { token } = await bound();
    expect((await shop.request(supportPhone, {}, { token })).code).toBe(0);
  });
});

describe('a login', () => {
  it('gives a token of the usual kind without a proof, and at a brand that does not bind its sessions', async () => {
    const plain = await logIn();
    expect(plain).not.toHaveProperty('tokenType');
    expect(await read(plain.token)).toBe('answered');
    const host = 'mego.localhost';
    await shop.customer({ account, host });
    expect(await logIn(await prove(login, { origin: `http://${host}` }), host)).not.toHaveProperty('tokenType');
  });

  it('is refused with an invalid proof, and names the header', async () => {
    const { params } = await shop.request(login, credentials, { headers: { DPoP: 'a.b.c' } });
    expect(params).toEqual({ field: 'DPoP' });
  });

  it('of a TV is bound to the key of its browser', async () => {
    const tv = aTvDevice(shop);
    const { token } = await bound();
    const { deviceCode, userCode } = await tv.codes({ client_id: 'tv' });
    const confirm = { body: { userCode, approve: true } };
    const headers = await prove(endpoints.deviceConfirm, { token });
    expect((await shop.request(endpoints.deviceConfirm, confirm, { token, headers })).code).toBe(0);
    const poll = { method: 'POST', path: '/oauth/token' } as unknown as Endpoint; // as: no call of the contract
    const tvKey = await aDpopKey();
    const wrong = await tvKey.proof(poll, { now: 0 });
    expect((await tv.poll(deviceCode, { client_id: 'tv' }, wrong)).body).toEqual({ error: 'invalid_dpop_proof' });
    shop.clock.advance(5000);
    const right = await tvKey.proof(poll, { now: shop.clock.now });
    const { body } = await tv.poll(deviceCode, { client_id: 'tv' }, right);
    expect(body).toMatchObject({ token_type: 'DPoP', user: { tokenType: 'DPoP' } });
    const own = String(body['access_token']);
    expect(await read(own)).toBe(refused);
    expect(await read(own, await tvKey.proof(orders, { now: shop.clock.now, token: own }))).toBe('answered');
  });

  it('with the key of the former session ends that one', async () => {
    const former = await bound();
    const headers = await prove(login, { token: former.token });
    const { data } = await shop.request(login, credentials, { token: former.token, headers });
    expect(await read(former.token, await prove(orders, { token: former.token }))).toBe(refused);
    expect(await read(data.token, await prove(orders, { token: data.token }))).toBe('answered');
  });
});
