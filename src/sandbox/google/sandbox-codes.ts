import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import * as v from 'valibot';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Deps } from '#server/deps.ts';
import { consumeOnce } from '#server/runtime/limits/throttle.ts';
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import type { Env } from '#server/env.ts';

/** The dependencies of the sandbox provider. */
export type SandboxContext = Pick<Deps, 'db' | 'clock' | 'random' | 'env'>;

const lifetimeSeconds = 60;

const grantSchema = v.object({
  redirectUri: v.string(),
  challenge: v.string(),
  nonce: v.optional(v.string()),
  email: v.string(),
  emailVerified: v.boolean(),
  name: v.string(),
});

/** The granted request and the account that granted it. */
export type Grant = v.InferOutput<typeof grantSchema>;

const keyOf = (env: SandboxContext['env']) => derivedKey(env, 'sandbox google code');
const encryption = { alg: 'dir', enc: 'A256GCM' } as const;

/** An authorization code: the encrypted grant, because any process may have to redeem it. */
export function makeCode({ env, clock, random }: SandboxContext, grant: Grant): Promise<string> {
  const iat = Math.floor(clock() / 1000);
  return new EncryptJWT({ ...grant })
    .setProtectedHeader(encryption)
    .setJti(random.token(16))
    .setExpirationTime(iat + lifetimeSeconds)
    .encrypt(keyOf(env));
}

/** Redeems a code, once; undefined for one that is unknown, expired or used. */
export async function redeemCode({ env, clock, db }: SandboxContext, code: string): Promise<Grant | undefined> {
  const payload = await decryptCode(env, code, clock());
  if (!payload) return undefined;
  const { jti = '', exp = 0 } = payload;
  const consumed = { brand: 'sandbox', id: `google code ${jti}`, validUntil: exp * 1000 };
  return (await consumeOnce(db, consumed)) ? v.parse(grantSchema, payload) : undefined;
}

async function decryptCode(env: SandboxContext['env'], code: string, now: number) {
  try {
    return (await jwtDecrypt(code, keyOf(env), { currentDate: new Date(now) })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

type Secret = Pick<Env, 'SIGNING_SECRET'>;

export const signingAlgorithm = 'ES256';
const keyId = 'sandbox-1';

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  /** as it is published (RFC 7517) */
  readonly jwk: object;
}

/**
 * The signing key of ID tokens: derived from the installation's secret, so that every process publishes the same one.
 */
export function signingKey(env: Secret): SigningKey {
  const d = derivedKey(env, 'sandbox google signing key');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  // uncompressed point: 0x04, then 32 bytes each of x and y
  const point = pair.getPublicKey();
  const open = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return {
    id: keyId,
    privateKey: createPrivateKey({ key: { ...open, d: d.toString('base64url') }, format: 'jwk' }),
    jwk: { ...open, kid: keyId, alg: signingAlgorithm, use: 'sig' },
  };
}

/** The server's credentials as a client of the sandbox provider. */
export function sandboxClient(env: Secret): { clientId: string; clientSecret: string } {
  const secret = derivedKey(env, 'sandbox google client').toString('base64url');
  return { clientId: 'marquee-sandbox.apps.sandbox.example', clientSecret: secret };
}
