import type * as contract from '#contract/sign-on.ts';
import type { Payload } from '#contract/endpoint.ts';
import { ApiRefusal, type Refuse } from '#server/runtime/request/api-error.ts';
import { findUser, assertLoginAllowed, type UserRow } from '../users.ts';
import { signIn } from '../sign-in.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import { countTryFrom, consumeOnce } from '#server/runtime/limits/throttle.ts';
import type { GoogleIdentity } from './google-provider.ts';
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm';
import { verifyAccount } from '../verify-account.ts';
import type { Database } from '#server/db/connect.ts';
import { users } from '#server/db/schema/users.ts';
import { createUser } from '../signup.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { welcomeMail } from '#server/messages/account-mails.ts';
import { errors, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import { derivedKey } from '#server/runtime/signing-secret.ts';
import type { Deps } from '#server/deps.ts';

/** Each attempt calls the provider; many customers share an address behind a carrier. */
const limit = { tries: 60, windowMs: 60_000 };

/** The redirect URI at the request's origin. */
const redirectUri = (origin: string) => `${origin}/login`;

/** Without an answer of the provider, the page shows no button; the log has the error. */
export const googleClient: Handler<typeof contract.googleClient> = async (_, { deps, origin }) => {
  const none = { clientId: '', authorizationEndpoint: '' } as const;
  if (!deps.google) return none;
  try {
    const { clientId } = deps.google;
    return { clientId, authorizationEndpoint: await deps.google.authorizationEndpoint(origin) };
  } catch (error) {
    if (error instanceof ApiRefusal) return none;
    throw error;
  }
};

export const googleLogin: Handler<typeof contract.googleLogin> = async ({ body }, context) => {
  const { deps, brand, origin, ip } = context;
  if (!deps.google) return context.refuse('configError', undefined, 404);
  const taken = await countTryFrom(deps.db, `google ${brand.code}`, ip, limit, deps.clock());
  // 429, because the caller caused it
  if (!taken.allowed) return context.refuse('serviceBusy', { waitSeconds: taken.waitSeconds }, 429);
  const { device, ...proof } = body;
  const identity = await deps.google.exchange({ ...proof, redirectUri: redirectUri(origin) }, context.refuse);
  const known = await findByGoogle(deps.db, brand.code, identity.sub);
  if (known) return logIn(known, context, device);
  if (!identity.emailVerified) return context.refuse('loginFailedRefresh');
  const owner = await findUser(deps.db, brand.code, { account: identity.email, type: 'email' });
  if (owner) return linkAndLogIn(owner, identity, context, device);
  const ticket = await makeTicket(deps, brand.code, identity);
  return { outcome: 'signup', ticket, email: identity.email, name: identity.name };
};

type Answer = Promise<Payload<typeof contract.googleLogin>>;

function logIn(
  user: UserRow,
  context: RequestContext<'accountTypeRefused' | 'loginNotAllowed'>,
  device: string | undefined,
): Answer {
  assertLoginAllowed(context.refuse, user);
  return context.deps.db.transaction(async (tx) => ({
    outcome: 'signedIn',
    user: await signIn(tx, user, context, { via: 'google', device }),
  }));
}

/** Links an existing account of the address to Google. */
function linkAndLogIn(
  owner: UserRow,
  identity: GoogleIdentity,
  context: RequestContext<'accountTypeRefused' | 'loginFailedRefresh' | 'loginNotAllowed'>,
  device: string | undefined,
): Answer {
  assertLoginAllowed(context.refuse, owner);
  return context.deps.db.transaction(async (tx) => {
    // another call with the same Google account may have been faster
    const user =
      (await linkGoogle(tx, owner, identity, context)) ?? (await findByGoogle(tx, owner.brand, identity.sub));
    if (!user) return context.refuse('loginFailedRefresh');
    return { outcome: 'signedIn', user: await signIn(tx, user, context, { via: 'google', device }) };
  });
}

/**
 * Links an account to the Google account with the same verified address. Undefined when it is linked to another Google
 * account, because addresses change owners and `sub` never does, or when its email goes to another address, whose owner
 * could take the account back. For an unconfirmed address this is the first proof (`verifyAccount`). An address bound to
 * a phone account was confirmed when it was bound.
 */
async function linkGoogle(
  tx: Database,
  { brand, uid }: Pick<UserRow, 'brand' | 'uid'>,
  { sub: googleSub, email }: Pick<GoogleIdentity, 'sub' | 'email'>,
  context: Pick<RequestContext, 'deps' | 'brand'>,
): Promise<UserRow | undefined> {
  const isCustomer = and(eq(users.brand, brand), eq(users.uid, uid));
  const unlinked = and(isCustomer, eq(users.email, email), isNull(users.googleSub));
  const [proved] = await tx
    .update(users)
    .set({ googleSub })
    .where(and(unlinked, or(isNotNull(users.verifiedAt), eq(users.accountType, 'phone'))))
    .returning();
  if (proved) return proved;
  const unproved = and(unlinked, isNull(users.verifiedAt));
  const [waiting] = await tx.select().from(users).where(unproved).for('no key update');
  if (!waiting || !(await verifyAccount(tx, waiting, { isCreator: false }, context))) return undefined;
  const [taken] = await tx.update(users).set({ googleSub }).where(isCustomer).returning();
  return taken;
}

/** The customer of this Google account at the brand. */
async function findByGoogle(db: Database, brand: string, googleSub: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(and(eq(users.brand, brand), eq(users.googleSub, googleSub)))
    .limit(1);
  return user;
}

/** New accounts from one network, as with a password. */
const signupLimit = { tries: 300, windowMs: 60 * 60_000 };

/** Creates the account of a ticket: without a password, and with a verified address. */
export const googleSignup: Handler<typeof contract.googleSignup> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  const { language, nickname, entry } = body;
  const taken = await countTryFrom(deps.db, `google signup ${brand.code}`, ip, signupLimit, deps.clock());
  if (!taken.allowed) return context.refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  const { sub, email, jti, validUntil } = await readTicket(context.refuse, deps, brand.code, body.ticket);
  const identity = { account: email, type: 'email', areaCode: null } as const;
  return deps.db.transaction(async (tx) => {
    if (!(await consumeOnce(tx, { brand: brand.code, id: `google ${jti}`, validUntil })))
      return context.refuse('loginFailedRefresh');
    const account = { brand, identity, passwordHash: null, language, nickname, entry, proven: true, googleSub: sub };
    const user = await createUser(tx, account, deps);
    if (!user) return context.refuse('accountExists');
    await queueMail(tx, { brand, to: email, ...welcomeMail(brand, user.language) }, deps);
    return signIn(tx, user, context, { via: 'google' });
  });
};

const algorithm = 'HS256';
const lifetimeSeconds = 10 * 60;

const ticketSchema = v.object({ sub: v.string(), email: v.string(), jti: v.string(), exp: v.number() });

/** A verified identity between login and sign-up, while the customer reads the terms. */
interface Ticket extends Pick<GoogleIdentity, 'sub' | 'email'> {
  readonly jti: string;
  /** epoch milliseconds */
  readonly validUntil: number;
}

type TicketDeps = Pick<Deps, 'env' | 'clock' | 'random'>;

const keyOf = (env: TicketDeps['env']) => derivedKey(env, 'google ticket');

/** Signs an identity, whose address the provider has verified, for ten minutes and this brand. */
export function makeTicket({ env, clock, random }: TicketDeps, brand: string, { sub, email }: GoogleIdentity) {
  const iat = Math.floor(clock() / 1000);
  return new SignJWT({ email })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(sub)
    .setAudience(brand)
    .setJti(random.token(16))
    .setIssuedAt(iat)
    .setExpirationTime(iat + lifetimeSeconds)
    .sign(keyOf(env));
}

/** Reads a ticket of this brand; `loginFailedRefresh` if it is invalid or expired. */
async function readTicket(
  refuse: Refuse<'loginFailedRefresh'>,
  { env, clock }: TicketDeps,
  brand: string,
  ticket: string,
): Promise<Ticket> {
  try {
    const options = { algorithms: [algorithm], audience: brand, currentDate: new Date(clock()) };
    const { payload } = await jwtVerify(ticket, keyOf(env), options);
    const { exp, ...identity } = v.parse(ticketSchema, payload);
    return { ...identity, validUntil: exp * 1000 };
  } catch (error) {
    if (error instanceof errors.JOSEError) return refuse('loginFailedRefresh');
    throw error;
  }
}
