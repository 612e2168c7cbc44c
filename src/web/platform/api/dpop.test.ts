import { decodeJwt, decodeProtectedHeader, EmbeddedJWK, jwtVerify, type JWTPayload } from 'jose';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpoint } from '#contract/endpoint.ts';
import { errorCode } from '#contract/error-codes.ts';
import { userInfoSchema, type UserInfo } from '#contract/user.ts';
import { clearSession, setBinding, setSession } from '#web/platform/session/session.ts';
import { createBrowserKey, forgetBrowserKey } from '#web/platform/session/storage/browser-key.ts';
import { openDatabase } from '#web/platform/session/storage/test-database.ts';
import { json, openScriptedServer, type Script } from '#tests/fixtures/scripted-server.ts';
import { call } from './client.ts';
import { ask, clientOf, failure, success, user, write } from './test-client.ts';

const enter = endpoint({
  name: 'enter',
  method: 'POST',
  path: '/api/enter',
  opensSession: true,
  result: userInfoSchema,
});
const bound: UserInfo = { ...user, tokenType: 'DPoP' };
const own = endpoint({ ...ask, access: 'customer' });
const change = endpoint({ ...write, access: 'customer' });
const entered = json({ code: 0, data: bound });
const staleCode = errorCode('staleProof');

/** The store of the browser. */
const rows = new Map<string, unknown>();
const fails = () => {
  throw new Error('the disk is broken');
};

const api = clientOf(openScriptedServer);
beforeEach(() => {
  rows.clear();
  openDatabase(rows);
  forgetBrowserKey();
  vi.stubGlobal('location', { href: 'https://shop.example/account' });
  setBinding(true);
});
afterEach(() => setBinding(false));

const sentProofs = () => api.server.received.map(({ headers }) => headers['dpop']);
const lastProof = () => String(sentProofs().at(-1));

/** The claims of a proof whose signature is valid. */
async function claimsOf(proof: string): Promise<JWTPayload> {
  const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['ES256'] });
  return payload;
}
const keyOf = (proof: string) => decodeProtectedHeader(proof).jwk;

async function logIn(): Promise<void> {
  api.server.script = entered;
  setSession(await call(enter));
}

describe('a session of a brand that binds them', () => {
  it('is opened with a proof of a new key, and its calls have a proof of the same key for its token', async () => {
    await logIn();
    const opening = lastProof();
    expect(await claimsOf(opening)).toMatchObject({ htm: 'POST', htu: `${api.server.origin}/api/enter` });
    expect(await claimsOf(opening)).not.toHaveProperty('ath');
    api.server.script = json(success);
    await call(own);
    const first = lastProof();
    await call(own);
    const ath = createHash('sha256').update(bound.token).digest('base64url');
    const [one, other] = [await claimsOf(first), await claimsOf(lastProof())];
    expect(one).toMatchObject({ htm: 'POST', htu: `${api.server.origin}/api/ask`, ath });
    expect(other['jti']).not.toBe(one['jti']);
    expect([keyOf(first), keyOf(lastProof())]).toEqual([keyOf(opening), keyOf(opening)]);
  });

  it('has calls without a proof where no token counts', async () => {
    await logIn();
    api.server.script = json(success);
    await call(ask);
    expect(sentProofs().at(-1)).toBeUndefined();
  });

  it('keeps its key from every script', async () => {
    await logIn();
    const [pair] = [...rows.values()] as CryptoKeyPair[]; // as: the only row of the table
    expect(pair?.privateKey.extractable).toBe(false);
    await expect(crypto.subtle.exportKey('jwk', pair!.privateKey)).rejects.toThrow('not extractable');
  });

  it('uses the same key after the next login', async () => {
    await logIn();
    const former = keyOf(lastProof());
    clearSession('logout');
    await logIn();
    expect(keyOf(lastProof())).toEqual(former);
  });

  it('is sent once more by the clock of the answer, where that of the phone is wrong', async () => {
    await logIn();
    const aMonthAgo = Date.now() - 30 * 86_400_000;
    const times: (number | undefined)[] = [];
    const strict: Script = (response, one) => {
      const { iat } = decodeJwt(String(one.headers['dpop']));
      times.push(iat);
      response.setHeader('Date', new Date(aMonthAgo).toUTCString());
      const isRight = Math.abs((iat ?? 0) * 1000 - aMonthAgo) < 10_000;
      const answer = isRight ? json(success) : json({ code: staleCode, errCode: staleCode }, 401);
      return answer(response, one);
    };
    api.server.script = strict;
    await call(change, { body: { a: 1 } });
    await call(own);
    expect(times).toHaveLength(3);
    expect(api.effects.toast).not.toHaveBeenCalled();
  });

  it('is told once if the server refuses the second proof as well', async () => {
    await logIn();
    api.server.received = [];
    api.server.script = json({ code: staleCode, errCode: staleCode }, 401);
    expect(await failure(call(change, { body: { a: 1 } }))).toMatchObject({ reason: 'staleProof' });
    expect(api.server.received).toHaveLength(2);
    expect(api.effects.toast).toHaveBeenCalledOnce();
    expect(api.effects.endSession).not.toHaveBeenCalled();
  });

  it('is left to the server where the key is gone', async () => {
    setSession(bound);
    api.server.script = json({ code: 21, errCode: 21 }, 401);
    expect(await failure(call(own))).toMatchObject({ reason: 'invalidToken' });
    expect(sentProofs()).toEqual([undefined]);
    expect(api.effects.endSession).toHaveBeenCalledOnce();
  });

  it('stays where the store of the key fails, and sends nothing', async () => {
    setSession(bound);
    vi.spyOn(rows, 'get').mockImplementationOnce(fails);
    expect(await failure(call(own))).toMatchObject({ kind: 'network', lost: 'unreachable' });
    expect(api.server.received).toEqual([]);
    expect(api.effects.endSession).not.toHaveBeenCalled();
  });
});

describe('a session is opened without a proof', () => {
  it('at a brand that does not bind them', async () => {
    setBinding(false);
    await logIn();
    expect(sentProofs()).toEqual([undefined]);
  });

  it.each([
    ['has no key functions, as without HTTPS', () => vi.stubGlobal('crypto', {})],
    ['cannot store a key, as a private window', () => vi.spyOn(rows, 'set').mockImplementationOnce(fails)],
    ['returns nothing of a stored key', () => vi.stubGlobal('structuredClone', () => ({}))],
  ])('where the browser %s', async (_, breakIt) => {
    breakIt();
    await logIn();
    expect(sentProofs()).toEqual([undefined]);
  });

  it('where the store does not answer within seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(crypto.subtle, 'generateKey').mockReturnValueOnce(new Promise(() => {}));
    const key = createBrowserKey();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    vi.runAllTimers();
    vi.useRealTimers();
    expect(await key).toBeUndefined();
  });
});
