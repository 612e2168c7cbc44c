import { hkdfSync } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import * as v from 'valibot';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Env } from '#server/env.ts';

/**
 * [Note: Single sign-on] The app or a box puts a token into a link to the shop: a JWT (RFC 7519) by HMAC with SHA-256,
 * under a key of the brand that whoever issues tokens gets from `npm run operator -- sso-key`. Claims:
 *
 * - `aud`: tenant id of the brand;
 * - `sub`: the customer's uid, or `account`: the address or number, or both;
 * - `src`: `app` for a link that is opened at once, `qr` for one that waits on a screen;
 * - `jti`: 8 to 128 characters that no other token has: it works once;
 * - `iat`: seconds since 1970. From there on our own settings tell how long it is good for; an `exp` can shorten that
 *   and never lengthen it.
 */
const algorithm = 'HS256';

/** Clocks of boxes run ahead by this much at most, in milliseconds. */
export const skewMs = 10_000;

/** Where a link with a token stands, which tells how long it may be good for. */
export type SsoSource = 'app' | 'qr';

/** Nothing that a database would not take. */
const plain = (max: number) => v.pipe(v.string(), v.regex(/^\P{C}+$/u), v.maxLength(max));
const claimsSchema = v.pipe(
  v.object({
    /** one brand, as it was verified; a list would make one token good for several */
    aud: v.string(),
    sub: v.optional(plain(40)),
    account: v.optional(plain(160)),
    src: v.picklist(['app', 'qr']),
    jti: v.pipe(plain(128), v.minLength(8)),
    iat: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  v.check(({ sub, account }) => sub !== undefined || account !== undefined),
);

/** What a token says, once it has been verified. */
export interface SsoClaims {
  /** the customer's uid, or their account, or both */
  readonly sub?: string | undefined;
  readonly account?: string | undefined;
  readonly src: SsoSource;
  readonly jti: string;
  /** both in epoch milliseconds */
  readonly issuedAt: number;
  readonly goodUntil: number;
}

type BrandKey = Pick<Brand, 'code'>;
type Secret = Pick<Env, 'SIGNING_SECRET'>;

/** The brand's key: 32 bytes by HKDF (RFC 5869), so that a brand's key tells nothing about another's. */
export function ssoKey({ SIGNING_SECRET }: Secret, { code }: BrandKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', SIGNING_SECRET, '', `marquee sso ${code}`, 32));
}

export interface SsoTokenRequest {
  readonly uid?: string | undefined;
  readonly account?: string | undefined;
  readonly src: SsoSource;
  /** unique */
  readonly jti: string;
  /** epoch milliseconds */
  readonly issuedAt: number;
  readonly lifetimeSeconds: number;
}

/** Makes a token, as the app's own server would. `brand.tenantId` becomes its audience. */
export function makeSsoToken(
  env: Secret,
  brand: BrandKey & Pick<Brand, 'tenantId'>,
  { uid, account, src, jti, issuedAt, lifetimeSeconds }: SsoTokenRequest,
): Promise<string> {
  const iat = Math.floor(issuedAt / 1000);
  const who = { ...(uid !== undefined && { sub: uid }), ...(account !== undefined && { account }) };
  return new SignJWT({ ...who, src })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setAudience(brand.tenantId)
    .setJti(jti)
    .setIssuedAt(iat)
    .setExpirationTime(iat + lifetimeSeconds)
    .sign(ssoKey(env, brand));
}

/** What `readSsoToken` refuses with. */
export type ReadSsoTokenErrors = 'tenantError' | 'tokenError' | 'tokenExpired' | 'tokenMissing';

/**
 * Verifies a token. Refuses with `tokenMissing` none, `tokenExpired` too old, `tenantError` one that was made for another
 * brand, `tokenError` whatever else does not hold. Whether it was used is for `consumeSsoToken` to say.
 */
export async function readSsoToken(
  refuse: Refuse<ReadSsoTokenErrors>,
  token: string,
  { env, brand, now }: { env: Env; brand: Pick<Brand, 'code' | 'tenantId'>; now: number },
): Promise<SsoClaims> {
  if (token.trim() === '') refuse('tokenMissing');
  const parsed = v.safeParse(claimsSchema, await verified(refuse, token.trim(), env, brand, now));
  if (!parsed.success) return refuse('tokenError');
  const { iat, aud: _brand, ...claims } = parsed.output;
  const issuedAt = iat * 1000;
  const seconds = claims.src === 'app' ? env.SSO_APP_SECONDS : env.SSO_QR_SECONDS;
  const goodUntil = issuedAt + seconds * 1000;
  if (issuedAt > now + skewMs) refuse('tokenError');
  if (goodUntil < now) refuse('tokenExpired');
  return { ...claims, issuedAt, goodUntil };
}

async function verified(
  refuse: Refuse<'tenantError' | 'tokenError' | 'tokenExpired'>,
  token: string,
  env: Env,
  brand: Pick<Brand, 'code' | 'tenantId'>,
  now: number,
): Promise<JWTPayload> {
  try {
    assertSameTenant(refuse, decodeJwt(token), brand);
    const options = { algorithms: [algorithm], audience: brand.tenantId, currentDate: new Date(now) };
    return (await jwtVerify(token, ssoKey(env, brand), options)).payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return refuse('tokenExpired');
    if (error instanceof errors.JOSEError) return refuse('tokenError');
    throw error;
  }
}

/**
 * Looks at the audience before the signature, for one purpose: a token of another brand has another brand's signature,
 * and would only be called broken. Nothing but the code of the refusal depends on it.
 */
function assertSameTenant(
  refuse: Refuse<'tenantError'>,
  { aud }: JWTPayload,
  { tenantId }: Pick<Brand, 'tenantId'>,
): void {
  if (typeof aud === 'string' && aud !== '' && aud !== tenantId) refuse('tenantError');
}
