import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { and, eq, gt, isNull } from 'drizzle-orm';
import * as v from 'valibot';
import { passkeyChallenges } from '#server/db/schema/passkeys.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';

const lifetimeMs = 10 * 60_000;

/**
 * The relying party of this request: the host, and the brand's origins there, from the request and from the brand's
 * row. `operationUnsupported` for an IP address, which no passkey can be bound to.
 */
export function relyingParty({
  origin,
  brand,
  refuse,
}: Pick<RequestContext<'operationUnsupported'>, 'origin' | 'brand' | 'refuse'>): {
  host: string;
  origins: string[];
} {
  const { hostname } = new URL(origin);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return refuse('operationUnsupported');
  const own = new URL(brand.origin);
  return { host: hostname, origins: [origin, ...(own.hostname === hostname ? [own.origin] : [])] };
}

const hashOf = (challenge: string) => createHash('sha256').update(challenge).digest('hex');

/** Creates a challenge, for a new passkey of `made` or, without it, for a login. */
export async function makeChallenge(
  context: Pick<RequestContext<'operationUnsupported'>, 'deps' | 'brand' | 'origin' | 'refuse'>,
  made?: { uid: string; userHandle: string },
): Promise<{ challenge: string; host: string; expiresAt: number }> {
  const { deps, brand } = context;
  const { host } = relyingParty(context);
  const challenge = deps.random.token(32);
  const expiresAt = deps.clock() + lifetimeMs;
  await deps.db
    .insert(passkeyChallenges)
    .values({ challengeHash: hashOf(challenge), brand: brand.code, host, ...made, expiresAt });
  return { challenge, host, expiresAt };
}

const clientDataSchema = v.pipe(v.string(), v.parseJson(), v.object({ challenge: v.string() }));

/**
 * Consumes the signed challenge in one statement, whether the signature is valid or not. `requestExpired`: unknown,
 * used, of another customer, or older than ten minutes.
 */
export async function consumeChallenge(
  context: Pick<RequestContext<'operationUnsupported' | 'requestExpired'>, 'deps' | 'brand' | 'origin' | 'refuse'>,
  clientDataJSON: string,
  uid?: string,
): Promise<{ challenge: string; userHandle: string }> {
  const { deps, brand } = context;
  const { host } = relyingParty(context);
  const read = v.safeParse(clientDataSchema, Buffer.from(clientDataJSON, 'base64url').toString());
  if (!read.success) return context.refuse('requestExpired');
  const { challenge } = read.output;
  const [taken] = await deps.db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challengeHash, hashOf(challenge)),
        eq(passkeyChallenges.brand, brand.code),
        eq(passkeyChallenges.host, host),
        uid === undefined ? isNull(passkeyChallenges.uid) : eq(passkeyChallenges.uid, uid),
        gt(passkeyChallenges.expiresAt, deps.clock()),
      ),
    )
    .returning();
  return taken ? { challenge, userHandle: taken.userHandle ?? '' } : context.refuse('requestExpired');
}
