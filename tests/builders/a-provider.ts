import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Deps } from '#server/deps.ts';
import { openIdClient } from '#server/auth/sign-on/openid-client.ts';
import { testNow } from './test-app.ts';

const issuer = 'https://accounts.test';
const published = await generateKeyPair('RS256');
const unpublished = await generateKeyPair('RS256');

/** How a simulated OpenID provider behaves; correctly by default. */
export interface ProviderOptions {
  readonly claims?: Record<string, unknown>;
  /** signs with a key that it has not published */
  readonly strangeKey?: boolean;
  /** replaces the ID token */
  readonly idToken?: string;
  /** the response that replaces the one of a path */
  readonly instead?: (path: string) => Response | undefined;
}

export const providerNonce = 'a-nonce-of-the-test';

/** A simulated provider behind the shop's own OpenID client, for `testApp({ deps })`. */
export async function aProvider(wish: ProviderOptions = {}): Promise<(base: Deps) => Pick<Deps, 'google'>> {
  const jwk = { ...(await exportJWK(published.publicKey)), kid: 'key-1', alg: 'RS256' };
  const answers: Record<string, () => Promise<object> | object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }),
    '/keys': () => ({ keys: [jwk] }),
    '/token': async () => ({
      access_token: 'unused',
      token_type: 'Bearer',
      id_token:
        wish.idToken ?? (await idToken(wish.strangeKey ? unpublished.privateKey : published.privateKey, wish.claims)),
    }),
  };
  const fetch = async (url: string) => {
    const { pathname } = new URL(url);
    return wish.instead?.(pathname) ?? Response.json(await answers[pathname]?.());
  };
  const client = { clientId: 'the-shop', clientSecret: 'a secret', issuer: () => issuer, fetch };
  return (base) => ({ google: openIdClient(client, base) });
}

function idToken(key: CryptoKey, claims: Record<string, unknown> = {}): Promise<string> {
  const iat = testNow / 1000;
  const usual = {
    iss: issuer,
    aud: 'the-shop',
    sub: '1234567890',
    iat,
    exp: iat + 3600,
    nonce: providerNonce,
    email: 'ana@example.com',
    email_verified: true,
    name: 'Ana Lima',
  };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(key);
}
