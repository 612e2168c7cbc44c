import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as endpoints from '#contract/index.ts';
import { aProvider, providerNonce, type ProviderOptions } from '#tests/builders/a-provider.ts';
import { atGoogle } from '#tests/builders/google-sign-in.ts';
import { testApp, testNow, type TestApp } from '#tests/builders/test-app.ts';

let shop: TestApp;
beforeEach(async () => {
  shop = await testApp();
});
afterEach(() => shop.close());

const proof = { code: 'a code', codeVerifier: 'v'.repeat(43), nonce: providerNonce };
/** Logs in at an installation with this provider. */
const logIn = async (wish: ProviderOptions = {}) => {
  const other = await testApp({ db: shop.db, deps: await aProvider(wish) });
  return other.request(endpoints.googleLogin, { body: proof });
};

describe('an ID token', () => {
  it('is accepted if all its claims are valid', async () => {
    expect((await logIn()).data).toMatchObject({ outcome: 'signup', email: 'ana@example.com', name: 'Ana Lima' });
    const many = await logIn({ claims: { aud: ['the-shop', 'another'], azp: 'the-shop' } });
    expect(many.code).toBe(0);
  });

  it('is refused if one of its claims is invalid', async () => {
    const now = testNow / 1000;
    const wrong: Record<string, ProviderOptions> = {
      nonce: { claims: { nonce: 'another nonce' } },
      'no nonce': { claims: { nonce: undefined } },
      audience: { claims: { aud: 'another-shop' } },
      'authorized party of one audience': { claims: { azp: 'another' } },
      'authorized party': { claims: { aud: ['the-shop', 'another'], azp: 'another' } },
      issuer: { claims: { iss: 'https://evil.test' } },
      expired: { claims: { exp: now - 11 } },
      'no expiry': { claims: { exp: undefined } },
      'not yet': { claims: { nbf: now + 60 } },
      'no subject': { claims: { sub: undefined } },
      'no address': { claims: { email: undefined } },
      'an address that is none': { claims: { email: 'ana' } },
      'another key': { strangeKey: true },
      'no signature': { idToken: `${btoa('{"alg":"none"}')}.${btoa('{}')}.` },
      'a key that everybody has': {
        idToken: await new SignJWT({ nonce: providerNonce })
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
          .sign(new TextEncoder().encode('the-shop-the-shop-the-shop-the-shop')),
      },
      'no token': { idToken: 'nothing' },
    };
    for (const [name, wish] of Object.entries(wrong)) expect((await logIn(wish)).errCode, name).toBe(-3039);
  });

  it('is accepted with a verified address in either notation, and refused otherwise', async () => {
    expect((await logIn({ claims: { email_verified: 'true' } })).code).toBe(0);
    expect((await logIn({ claims: { email_verified: 'false' } })).errCode).toBe(-3039);
    expect((await logIn({ claims: { email_verified: undefined } })).errCode).toBe(-3039);
  });
});

describe('a provider that fails', () => {
  const failAt = (place: string, make: () => Response): ProviderOptions => ({
    instead: (path) => (path.includes(place) ? make() : undefined),
  });
  const down = () => {
    throw new TypeError('fetch failed');
  };

  it('causes a busy error, wherever it fails', async () => {
    for (const place of ['openid-configuration', 'token', 'keys']) {
      expect((await logIn(failAt(place, down))).errCode, place).toBe(-24040);
      expect((await logIn(failAt(place, () => new Response('Bad gateway', { status: 502 })))).errCode, place).toBe(
        -24040,
      );
      expect((await logIn(failAt(place, () => Response.json({}, { status: 500 })))).errCode, place).toBe(-24040);
      expect((await logIn(failAt(place, () => Response.json({})))).errCode, place).toBe(-24040);
    }
    const another = { issuer: 'https://evil.test', authorization_endpoint: 'https://evil.test/a' };
    expect((await logIn(failAt('openid-configuration', () => Response.json(another)))).errCode).toBe(-24040);
  });

  it('is not read beyond a size limit', async () => {
    const tooMuch = Response.json({ issuer: 'x'.repeat(256 * 1024) });
    for (const place of ['openid-configuration', 'token', 'keys']) {
      expect((await logIn(failAt(place, () => tooMuch.clone()))).errCode, place).toBe(-24040);
    }
  });

  it('receives no request without encryption, whatever its metadata contain', async () => {
    const requestedPaths: string[] = [];
    const metadata = {
      issuer: 'https://accounts.test',
      authorization_endpoint: 'https://accounts.test/authorize',
      token_endpoint: 'http://accounts.test/token',
      jwks_uri: 'http://accounts.test/keys',
    };
    const instead = (path: string) => {
      requestedPaths.push(path);
      return path.includes('openid-configuration') ? Response.json(metadata) : undefined;
    };
    expect((await logIn({ instead })).errCode).toBe(-24040);
    expect(requestedPaths).toEqual(['/.well-known/openid-configuration']);
  });

  it('has no login button until it is available again', async () => {
    let isUp = false;
    const wish: ProviderOptions = { instead: () => (isUp ? undefined : down()) };
    const other = await testApp({ db: shop.db, deps: await aProvider(wish) });
    expect((await other.request(endpoints.googleClient, {})).data.clientId).toBe('');
    isUp = true;
    expect((await other.request(endpoints.googleClient, {})).data.clientId).toBe('');
    other.clock.advance(10_000);
    expect((await other.request(endpoints.googleClient, {})).data).toEqual({
      clientId: 'the-shop',
      authorizationEndpoint: 'https://accounts.test/authorize',
    });
  });

  it('causes different errors for a used code and for a wrong configuration', async () => {
    const error = (name: string, status: number) => failAt('token', () => Response.json({ error: name }, { status }));
    expect((await logIn(error('invalid_grant', 400))).errCode).toBe(-3039);
    expect((await logIn(error('invalid_client', 401))).errCode).toBe(-3036);
    const challenge = { status: 401, headers: { 'www-authenticate': 'Basic realm="accounts"' } };
    expect((await logIn(failAt('token', () => Response.json({ error: 'invalid_client' }, challenge)))).errCode).toBe(
      -3036,
    );
  });
});

describe('the sandbox provider', () => {
  it('publishes the OpenID metadata for the requested origin', async () => {
    const get = async (path: string) =>
      (await shop.app.request(`http://mego.localhost${path}`)).json() as Promise<Record<string, unknown>>;
    const issuer = 'http://mego.localhost/sandbox/google';
    expect(await get('/sandbox/google/.well-known/openid-configuration')).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      jwks_uri: `${issuer}/jwks`,
    });
    expect(await get('/sandbox/google/jwks')).toMatchObject({ keys: [{ kty: 'EC', alg: 'ES256', use: 'sig' }] });
    expect(JSON.stringify(await get('/sandbox/google/jwks'))).not.toContain('"d"');
  });

  it('shows a page without scripts, and returns code and state, or an error', async () => {
    const yes = await atGoogle(shop);
    expect(yes.status).toBe(303);
    expect(`${yes.location?.origin}${yes.location?.pathname}`).toBe('http://localhost/login');
    expect(yes.location?.searchParams.get('state')).toBe(yes.state);
    const no = await atGoogle(shop, { form: { action: 'cancel' } });
    expect(no.location?.searchParams.get('error')).toBe('access_denied');
    expect(no.location?.searchParams.get('state')).toBe(no.state);
    expect((await atGoogle(shop, { form: { email: 'no address' } })).status).toBe(400);
    const { data } = await shop.request(endpoints.googleClient, {});
    const page = `${data.authorizationEndpoint}?client_id=${data.clientId}&redirect_uri=http://localhost/login&response_type=code&scope=openid&state=s&code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`;
    const shown = await shop.app.request(page);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(await shown.text()).not.toContain('<script');
  });

  it('redirects to no other site, and returns all other errors to the caller', async () => {
    const wrong = async (query: Record<string, string>) => atGoogle(shop, { query });
    for (const uri of ['https://evil.test/login', 'http://localhost/orders', 'http://mego.localhost/login']) {
      expect((await wrong({ redirect_uri: uri })).location).toBeUndefined();
    }
    expect((await wrong({ client_id: 'another' })).location).toBeUndefined();
    const error = async (query: Record<string, string>) => (await wrong(query)).location?.searchParams.get('error');
    expect(await error({ response_type: 'token' })).toBe('unsupported_response_type');
    expect(await error({ scope: 'email' })).toBe('invalid_scope');
    expect(await error({ code_challenge: '' })).toBe('invalid_request');
    expect(await error({ code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await error({ state: '' })).toBe('invalid_request');
  });

  it('accepts a code once within a minute, from the client that requested it', async () => {
    const redeem = async (change: object = {}) => {
      const { proof: own } = await atGoogle(shop);
      return { own, answer: await shop.request(endpoints.googleLogin, { body: { ...own, ...change } }) };
    };
    const { own, answer } = await redeem();
    expect(answer.code).toBe(0);
    expect((await shop.request(endpoints.googleLogin, { body: own })).errCode).toBe(-3039);
    expect((await redeem({ codeVerifier: 'w'.repeat(43) })).answer.errCode).toBe(-3039);
    expect((await redeem({ nonce: 'another-nonce-here' })).answer.errCode).toBe(-3039);
    const { proof: late } = await atGoogle(shop);
    shop.clock.advance(60_000);
    expect((await shop.request(endpoints.googleLogin, { body: late })).errCode).toBe(-3039);
    const { proof: raced } = await atGoogle(shop);
    const all = await Promise.all(
      Array.from({ length: 10 }, () => shop.request(endpoints.googleLogin, { body: raced })),
    );
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1);
  });
});
