import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose';
import * as v from 'valibot';
import { dpopHeaderSchema } from '#contract/headers.ts';
import { proofAgeMs } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { consumeOnce } from '#server/runtime/limits/throttle.ts';
import type { DpopFault } from '#server/runtime/metrics.ts';

/** What a valid proof says. */
export interface DpopProof {
  /** SHA-256 thumbprint of its key (RFC 7638) */
  readonly keyHash: string;
  /** the same for a repeated proof only */
  readonly id: string;
  /** base64url of the SHA-256 of the token that it was made for */
  readonly ath: string | undefined;
}

/** A request, as its proof has to describe it. */
interface ProvenRequest {
  readonly method: string;
  /** scheme, host and path */
  readonly url: string;
  /** epoch milliseconds */
  readonly now: number;
}

const claimsSchema = v.object({
  jti: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  htm: v.string(),
  htu: v.pipe(v.string(), v.url()),
  iat: v.number(),
  ath: v.optional(v.string()),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Verifies the value of a header `DPoP` (RFC 9449, 4.3), except for the token that it belongs to. */
export async function readDpopProof(header: string, request: ProvenRequest): Promise<DpopProof | DpopFault> {
  if (!v.is(dpopHeaderSchema, header)) return 'invalid';
  const options = { typ: 'dpop+jwt', algorithms: ['ES256'], currentDate: new Date(request.now) };
  const verified = await jwtVerify(header, EmbeddedJWK, options).catch((error: unknown) => {
    // jose throws a DOMException for an invalid key, such as a point that is not on the curve
    if (error instanceof errors.JOSEError || error instanceof DOMException) return undefined;
    throw error;
  });
  const jwk = verified?.protectedHeader.jwk;
  const claims = v.safeParse(claimsSchema, verified?.payload);
  if (!claims.success || !jwk) return 'invalid';
  const { jti, htm, htu, iat, ath } = claims.output;
  if (htm !== request.method || addressOf(htu) !== addressOf(request.url)) return 'address';
  // the client's clock is that of the server's answers, and a request may be under way for a minute
  const age = request.now - iat * 1000;
  if (age > proofAgeMs.past || age < -proofAgeMs.future) return 'stale';
  const keyHash = await calculateJwkThumbprint(jwk);
  return { keyHash, id: hashOf(`${keyHash} ${jti}`), ath };
}

/** Without query and fragment, and in one spelling. */
function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Whether a proof was made with the key of a session, for the token of that session. */
export const isForSession = ({ keyHash, ath }: DpopProof, session: { keyHash: string; token: string }): boolean =>
  keyHash === session.keyHash && ath === hashOf(session.token);

/** Consumes a proof; false if it was sent before. */
export function consumeProof({ db, clock }: Pick<Deps, 'db' | 'clock'>, brand: string, { id }: DpopProof) {
  return consumeOnce(db, { brand, id: `dpop ${id}`, validUntil: clock() + proofAgeMs.past + proofAgeMs.future });
}
