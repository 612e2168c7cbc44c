import { and, eq, lt, or, sql } from 'drizzle-orm';
import type * as contract from '#contract/passkeys.ts';
import { assertLoginAllowed, type UserRow } from '../users.ts';
import { signIn } from '../sign-in.ts';
import type { Database } from '#server/db/connect.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { users } from '#server/db/schema/users.ts';
import { countTryFrom } from '#server/runtime/limits/throttle.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { makeChallenge, relyingParty, consumeChallenge } from './challenges.ts';
import { reasonOf } from './own-passkeys.ts';

/** Each login page requests a challenge; many customers share an address behind a carrier. */
const challenges = { tries: 120, windowMs: 60_000 };
/** Each attempt costs a signature check. */
const logins = { tries: 60, windowMs: 60_000 };

async function countAttempt(
  { deps, brand, ip, refuse }: RequestContext,
  what: string,
  limit: typeof logins,
): Promise<void> {
  const taken = await countTryFrom(deps.db, `${what} ${brand.code}`, ip, limit, deps.clock());
  // 429, because the caller caused it
  if (!taken.allowed) return refuse('serviceBusy', { waitSeconds: taken.waitSeconds }, 429);
}

export const beginPasskeyLogin: Handler<typeof contract.beginPasskeyLogin> = async (_, context) => {
  await countAttempt(context, 'passkey challenges', challenges);
  return makeChallenge(context);
};

/** No account is identified before the signature is valid, so callers learn nothing about accounts. */
export const passkeyLogin: Handler<typeof contract.passkeyLogin> = async ({ body }, context) => {
  await countAttempt(context, 'passkey logins', logins);
  const { deps } = context;
  const { challenge } = await consumeChallenge(context, body.clientDataJSON);
  const found = await findPasskey(context, body.id);
  if (!found) return context.refuse('invalidCredentials');
  const { passkey, user } = found;
  const counter = await signedCounter(context, passkey, body, challenge);
  assertLoginAllowed(context.refuse, user);
  return deps.db.transaction(async (tx) => {
    // first, because it locks the customer's row ([Note: Eviction])
    const signedIn = await signIn(tx, user, context, { via: 'passkey', device: body.device });
    if (!(await recordUse(tx, passkey, counter, deps.clock()))) return context.refuse('invalidCredentials');
    return signedIn;
  });
};

type PasskeyRow = typeof passkeys.$inferSelect;

async function findPasskey(
  context: RequestContext<'operationUnsupported'>,
  credentialId: string,
): Promise<{ passkey: PasskeyRow; user: UserRow } | undefined> {
  const { db } = context.deps;
  const { host } = relyingParty(context);
  const [found] = await db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.uid, passkeys.uid))
    .where(
      and(eq(passkeys.brand, context.brand.code), eq(passkeys.host, host), eq(passkeys.credentialId, credentialId)),
    )
    .limit(1);
  return found;
}

type LoginBody = Parameters<Handler<typeof contract.passkeyLogin>>[0]['body'];

/**
 * `invalidCredentials` if signature, challenge, origin, host or user verification is invalid, or the counter goes back.
 */
async function signedCounter(
  context: RequestContext<'invalidCredentials' | 'operationUnsupported'>,
  { uid, credentialId, publicKey, counter }: PasskeyRow,
  { id, clientDataJSON, authenticatorData, signature }: LoginBody,
  challenge: string,
): Promise<number> {
  const { host, origins } = relyingParty(context);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: host,
      credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter },
    });
    return verified ? authenticationInfo.newCounter : context.refuse('invalidCredentials');
  } catch (error) {
    context.deps.log.warn({ reason: reasonOf(error), uid }, 'a passkey was refused');
    return context.refuse('invalidCredentials');
  }
}

/** False when the passkey was removed since it was read, or another call has advanced its counter. */
async function recordUse(tx: Database, { id }: PasskeyRow, counter: number, now: number): Promise<boolean> {
  const ahead = or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`));
  const used = await tx
    .update(passkeys)
    .set({ counter, usedAt: now })
    .where(and(eq(passkeys.id, id), ahead))
    .returning({ id: passkeys.id });
  return used.length > 0;
}
