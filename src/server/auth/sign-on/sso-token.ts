import { hkdfSync } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import * as v from 'valibot';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Env } from '#server/env.ts';

/**
 * Single sign-on: the app or a TV device adds a token to links to the shop, a JWT (RFC 7519) with HMAC SHA-256. The
 * issuer gets the brand's key from `npm run operator -- sso-key`. Claims:
 * - `aud`: tenant ID of the brand;
 * - `sub`: the customer's uid, or `account`: the address or number, or both;
 * - `src`: `app` for a link that is opened at once, `qr` for one that stays on a screen;
 * - `jti`: 8 to 128 unique characters, because a token works once;
 * - `iat`: seconds since 1970. The server's settings determine the lifetime from there; `exp` can only shorten it.
 */
const algorithm = 'HS256';

/** The most that a TV device's clock may be fast, in milliseconds. */
export const skewMs = 10_000;

/** Where a link with a token appears, which determines its lifetime. */
export type SsoSource = 'app' | 'qr';

/** Excludes control and other characters that PostgreSQL cannot store. */
const plain = (max: number) => v.pipe(v.string(), v.regex(/^\P{C}+$/u), v.maxLength(max));
const claimsSchema = v.pipe(
  v.object({
    /** one brand, as verified; a list would make one token valid for several */
    aud: v.string(),
    sub: v.optional(plain(40)),
    account: v.optional(plain(160)),
    src: v.picklist(['app', 'qr']),
    jti: v.pipe(plain(128), v.minLength(8)),
    iat: v.pipe(v.number(), v.finite(), v.minValue(0)),
  }),
  v.check(({ sub, account }) => sub !== undefined || account !== undefined),
);

/** The claims of a verified token. */
export interface SsoClaims {
  /** the customer's uid, or their account, or both */
  readonly sub?: string | undefined;
  readonly account?: string | undefined;
  readonly src: SsoSource;
  readonly jti: string;
  /** both in epoch milliseconds */
  readonly issuedAt: number;
  readonly validUntil: number;
}

type BrandKey = Pick<Brand, 'code'>;
type Secret = Pick<Env, 'SIGNING_SECRET'>;

/** The brand's key: 32 bytes by HKDF (RFC 5869), so that a brand's key reveals nothing about another's. */
export function ssoKey({ SIGNING_SECRET }: Secret, { code }: BrandKey): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', SIGNING_SECRET, '', `marquee sso ${code}`, 32));
}

interface SsoTokenRequest {
  readonly uid?: string | undefined;
  readonly account?: string | undefined;
  readonly src: SsoSource;
  /** unique */
  readonly jti: string;
  /** epoch milliseconds */
  readonly issuedAt: number;
  readonly lifetimeSeconds: number;
}

/** Creates a token, as the app's own server would. `brand.tenantId` is its audience. */
export function makeSsoToken(
  env: Secret,
  brand: BrandKey & Pick<Brand, 'tenantId'>,
  { uid, account, src, jti, issuedAt, lifetimeSeconds }: SsoTokenRequest,
): Promise<string> {
  const iat = Math.floor(issuedAt / 1000);
  const customer = { ...(uid !== undefined && { sub: uid }), ...(account !== undefined && { account }) };
  return new SignJWT({ ...customer, src })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setAudience(brand.tenantId)
    .setJti(jti)
    .setIssuedAt(iat)
    .setExpirationTime(iat + lifetimeSeconds)
    .sign(ssoKey(env, brand));
}

/** The errors of `readSsoToken`. */
export type ReadSsoTokenErrors = 'tenantError' | 'tokenError' | 'tokenExpired' | 'tokenMissing';

/**
 * Verifies a token. `tokenMissing`, `tokenExpired`, `tenantError` for a token of another brand, `tokenError` for any
 * other defect. `consumeSsoToken` checks whether it was used.
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
  const validUntil = issuedAt + seconds * 1000;
  if (issuedAt > now + skewMs) refuse('tokenError');
  if (validUntil < now) refuse('tokenExpired');
  return { ...claims, issuedAt, validUntil };
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
 * Reads the audience before the signature is verified, so that a token of another brand, which has that brand's
 * signature, is refused with the right error. Nothing else depends on it.
 */
function assertSameTenant(
  refuse: Refuse<'tenantError'>,
  { aud }: JWTPayload,
  { tenantId }: Pick<Brand, 'tenantId'>,
): void {
  if (typeof aud === 'string' && aud !== '' && aud !== tenantId) refuse('tenantError');
}
