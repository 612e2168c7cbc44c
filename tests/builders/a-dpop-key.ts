import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createHash, randomUUID } from 'node:crypto';
import type { Endpoint } from '#contract/endpoint.ts';

interface ProofOptions {
  /** epoch milliseconds */
  readonly now: number;
  readonly origin?: string;
  /** the bound token that is sent with it */
  readonly token?: string;
  /** claims that replace the correct ones */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** header parameters that replace the correct ones */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** The key of a browser, which makes a DPoP proof for each call (RFC 9449). */
export async function aDpopKey(alg = 'ES256') {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const jwk = await exportJWK(publicKey);
  return {
    jwk,
    /** the headers of a call with a proof */
    proof: async (
      { method, path }: Pick<Endpoint, 'method' | 'path'>,
      { now, origin = 'http://localhost', token, claims, header }: ProofOptions,
    ) => {
      const payload = {
        jti: randomUUID(),
        htm: method,
        htu: origin + path,
        iat: Math.floor(now / 1000),
        ...(token && { ath: createHash('sha256').update(token).digest('base64url') }),
        ...claims,
      };
      const signed = new SignJWT(payload).setProtectedHeader({ typ: 'dpop+jwt', alg, jwk, ...header });
      return { DPoP: await signed.sign(privateKey) };
    },
  };
}
