import { SignJWT, type JWTPayload } from 'jose';
import { makeSsoToken, ssoKey, type SsoSource } from '#server/auth/sign-on/sso-token.ts';
import type { TestApp } from './test-app.ts';

export interface TokenOptions {
  readonly brand?: 'lumen' | 'mego' | 'baobab';
  readonly uid?: string;
  readonly account?: string;
  readonly src?: SsoSource;
  /** epoch milliseconds */
  readonly issuedAt?: number;
  readonly jti?: string;
}

/** A single sign-on token as the app puts it into a link. */
export function anSsoToken(
  { deps, clock }: TestApp,
  { brand: code = 'lumen', ...wish }: TokenOptions,
): Promise<string> {
  const brand = deps.catalog.byCode(code);
  if (!brand) throw new Error(`no brand ${code}`);
  return makeSsoToken(deps.env, brand, {
    src: 'app',
    jti: deps.random.id(),
    issuedAt: clock.now,
    lifetimeSeconds: 3600,
    ...wish,
  });
}

/** A token with any claims, signed with the key of Lumen or another key. */
export function aSignedToken({ deps }: TestApp, claims: JWTPayload, key?: Uint8Array, alg = 'HS256'): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(key ?? ssoKey(deps.env, { code: 'lumen' }));
}
