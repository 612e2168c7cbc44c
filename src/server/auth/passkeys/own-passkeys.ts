import type { AttestationObject } from '@simplewebauthn/server/helpers';
import { and, desc, eq } from 'drizzle-orm';
import type * as contract from '#contract/passkeys.ts';
import { type Passkey, maxPasskeys } from '#contract/passkeys.ts';
import { assertConfirmed, consumeConfirmed } from '../confirm-owner.ts';
import { lockActiveCustomer } from '../users.ts';
import { deviceOf } from '#server/runtime/user-agent.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import type { Database } from '#server/db/connect.ts';
import { passkeys } from '#server/db/schema/passkeys.ts';
import { users } from '#server/db/schema/users.ts';
import { passkeyMail, passkeyRemovedMail } from '#server/messages/account-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { refuseInput } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { makeChallenge, relyingParty, consumeChallenge } from './challenges.ts';

/** ES256, EdDSA and RS256; every authenticator supports one of them. */
const algorithms = [-7, -8, -257];

type PasskeyRow = typeof passkeys.$inferSelect;

/** Ownership is part of the query, as for cards. */
function own({ brand, user }: Pick<CustomerContext, 'brand' | 'user'>, id?: string) {
  const mine = and(eq(passkeys.brand, brand.code), eq(passkeys.uid, user.uid));
  return id === undefined ? mine : and(mine, eq(passkeys.id, id));
}

const view = ({ id, name, host, synced, createdAt, usedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  host,
  synced,
  createdAt,
  usedAt,
});

export const listPasskeys: Handler<typeof contract.listPasskeys> = async (_, context) => {
  const { db } = context.deps;
  const rows = await db
    .select()
    .from(passkeys)
    .where(own(context))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id))
    .limit(maxPasskeys);
  const onlyOne = rows.length === 1 && !(await hasOtherLoginMethod(db, context));
  return { passkeys: rows.map(view), lastWayIn: onlyOne };
};

/**
 * Whether the account can be opened without a passkey: by a password, by Google, by its email address, or by a code to
 * its phone if the brand has code login and an SMS provider is configured.
 */
async function hasOtherLoginMethod(db: Database, { brand, user, deps }: CustomerContext): Promise<boolean> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash, googleSub: users.googleSub, email: users.email })
    .from(users)
    .where(and(eq(users.brand, brand.code), eq(users.uid, user.uid)));
  if (!row) return false;
  const byGoogle = row.googleSub !== null && deps.google !== null;
  return (
    row.passwordHash !== null || byGoogle || row.email !== null || (brand.config.login.codeLogin && deps.sms !== null)
  );
}

/**
 * Limits how often a customer starts and adds passkeys, because each start stores a challenge and each addition checks
 * a signature. Refuses with `tooFrequent`.
 */
async function countAddition(
  { deps, brand, user, refuse }: CustomerContext<'tooFrequent'>,
  step: 'begins' | 'additions',
): Promise<void> {
  const limit = { tries: 20, windowMs: 60 * 60_000 };
  const taken = await countTry(deps.db, `passkey ${step} ${brand.code} ${user.uid}`, limit, deps.clock());
  if (!taken.allowed) return refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
}

export const beginPasskey: Handler<typeof contract.beginPasskey> = async ({ body }, context) => {
  assertConfirmed(context, 'passkey', body.confirmation);
  const { deps, brand, user, userAgent } = context;
  const { host } = relyingParty(context);
  await countAddition(context, 'begins');
  const rows = await deps.db.select().from(passkeys).where(own(context)).limit(maxPasskeys);
  if (rows.length >= maxPasskeys) return context.refuse('operationUnsupported');
  const here = rows.filter((row) => row.host === host);
  // one handle for each customer and host: an authenticator stores one passkey for it and replaces it by a newer one
  const userHandle = here[0]?.userHandle ?? deps.random.token(32);
  const { challenge } = await makeChallenge(context, { uid: user.uid, userHandle });
  const { device, model } = deviceOf(userAgent);
  return {
    challenge,
    host,
    brand: brand.name,
    user: { id: userHandle, name: user.account, displayName: user.nickname || user.account },
    algorithms,
    known: here.map(({ credentialId: id, transports }) => ({ id, transports })),
    name:
      [device, model]
        .filter((part) => part !== '')
        .join(' · ')
        .slice(0, 60) || brand.name.slice(0, 60),
  };
};

/**
 * A stolen session must not become permanent access: this needs the password or a code again, and the owner gets an
 * email.
 */
export const addPasskey: Handler<typeof contract.addPasskey> = async ({ body }, context) => {
  assertConfirmed(context, 'passkey', body.confirmation);
  const { deps, brand, user } = context;
  const { host } = relyingParty(context);
  await countAddition(context, 'additions');
  const { challenge, userHandle } = await consumeChallenge(context, body.clientDataJSON, user.uid);
  const made = await readNewCredential(context, body, challenge);
  return deps.db.transaction(async (tx) => {
    const locked = await lockActiveCustomer(tx, user);
    if (!locked) return context.refuse('invalidToken');
    await consumeConfirmed(tx, context, 'passkey', body.confirmation);
    const owner = { id: deps.random.id(), brand: brand.code, uid: user.uid, host, userHandle };
    const row = { ...owner, ...made, name: body.name, createdAt: deps.clock(), usedAt: null };
    const [saved] = await tx.insert(passkeys).values(row).onConflictDoNothing().returning();
    if (!saved) return context.refuse('operationUnsupported');
    if (locked.email !== null) {
      await queueMail(
        tx,
        { brand, to: locked.email, ...passkeyMail(brand, locked.language, { name: saved.name, at: saved.createdAt }) },
        deps,
      );
    }
    return view(saved);
  });
};

type NewPasskey = Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'synced'>;
type AddBody = Parameters<Handler<typeof contract.addPasskey>>[0]['body'];

/**
 * The public key of a new credential, if type, challenge, origin, host, user presence and user verification are valid.
 */
async function readNewCredential(
  context: CustomerContext<'operationUnsupported'>,
  body: AddBody,
  challenge: string,
): Promise<NewPasskey> {
  const { host, origins } = relyingParty(context);
  const { id, clientDataJSON, attestationObject, transports } = body;
  // loaded on demand, so that the server starts faster
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  try {
    const attestation = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
    if (!isSelfContained(attestation)) throw new Error('the attestation was not requested');
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origins,
      expectedRPID: host,
      supportedAlgorithmIDs: algorithms,
    });
    if (!registrationInfo) return context.refuse('operationUnsupported');
    const { credential, credentialBackedUp: synced } = registrationInfo;
    const { publicKey, counter } = credential;
    return { credentialId: credential.id, publicKey, counter, transports, synced };
  } catch (error) {
    context.deps.log.warn({ reason: reasonOf(error), uid: context.user.uid }, 'a new passkey could not be verified');
    return context.refuse('operationUnsupported');
  }
}

/**
 * Whether the attestation has no certificates. The storefront requests none, and browsers then send format `none`, or
 * `packed` without certificates (Web Authentication Level 3, 5.1.3). Certificates contain URLs of revocation lists,
 * which the library would download.
 */
function isSelfContained(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The library's error about a credential, which contains no secret. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

export const renamePasskey: Handler<typeof contract.renamePasskey> = async ({ body: { id, name } }, context) => {
  const { db } = context.deps;
  const renamed = await db.update(passkeys).set({ name }).where(own(context, id)).returning({ id: passkeys.id });
  if (renamed.length === 0) refuseInput('id');
  return {};
};

export const removePasskey: Handler<typeof contract.removePasskey> = async ({ body: { id } }, context) => {
  const { brand, deps } = context;
  await deps.db.transaction(async (tx) => {
    const locked = await lockActiveCustomer(tx, context.user);
    if (!locked) return context.refuse('invalidToken');
    const [removed] = await tx.delete(passkeys).where(own(context, id)).returning();
    const [left] = await tx.select({ id: passkeys.id }).from(passkeys).where(own(context)).limit(1);
    // thrown inside the transaction, so that the last login method is not removed
    if (!left && !(await hasOtherLoginMethod(tx, context))) return context.refuse('operationUnsupported');
    if (!removed || locked.email === null) return;
    const removal = { name: removed.name, at: deps.clock() };
    await queueMail(tx, { brand, to: locked.email, ...passkeyRemovedMail(brand, locked.language, removal) }, deps);
  });
  return {};
};
