import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Env } from '#server/env.ts';

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
