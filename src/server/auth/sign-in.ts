import { and, eq } from 'drizzle-orm';
import { maskAccount } from '#contract/mask.ts';
import type { PayStatus, UserInfo } from '#contract/user.ts';
import type { Database } from '#server/db/connect.ts';
import { loginRecords, users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { newSignInMail, type NewSignIn as Login } from '#server/messages/account-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { monthsBefore } from '#server/runtime/clock.ts';
import type { RequestContext, Handler } from '#server/runtime/request/request-context.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { newDeviceToken, readDeviceToken } from './device-token.ts';
import { lockActiveCustomer, lockCustomer, assertLoginAllowed, findUser, type UserRow } from './users.ts';
import { closeSession, openSession, type TvDeviceName, type SessionOptions } from './session.ts';
import { periodsOf, accessUntil, type PeriodOwner } from '#server/site/periods.ts';
import { deviceOf } from '#server/runtime/user-agent.ts';
import type * as contract from '#contract/codes.ts';
import { identityOf } from '#server/site/account-rules.ts';
import { assertCanBeSent, consumeCode } from './codes.ts';
import { clearLoginGuesses, limitSubjectOf } from './login-limits.ts';
import { verifyAccount } from './verify-account.ts';

type Customer = Pick<
  UserRow,
  | 'uid'
  | 'brand'
  | 'account'
  | 'accountType'
  | 'email'
  | 'language'
  | 'planId'
  | 'limitCount'
  | 'expiredTime'
  | 'graceUntil'
  | 'createdAt'
  | 'verifiedAt'
  | 'evictions'
  | 'leavesAt'
>;
type Caller = Pick<
  RequestContext<'accountTypeRefused' | 'loginNotAllowed'>,
  'deps' | 'brand' | 'ip' | 'userAgent' | 'refuse'
> &
  Partial<Pick<RequestContext, 'tokenHash' | 'keyHash'>>;

interface SignInOptions extends SessionOptions {
  /** the login method */
  readonly via: 'password' | 'code' | 'sso' | 'google' | 'device' | 'passkey';
  /** the device token of the request */
  readonly device?: string | undefined;
}

/**
 * Opens a session, records the login and returns the user to the storefront. A customer who logs in from a new device
 * gets an email. `user` is the row that was read when the login was checked: `loginNotAllowed` after an eviction since
 * ([Note: Eviction]), `accountTypeRefused` for a type that may not log in. `tx` is the caller's transaction.
 */
export async function signIn(
  tx: Database,
  user: Customer,
  caller: Caller,
  { via, device, box, handed }: SignInOptions,
): Promise<UserInfo> {
  const { deps, keyHash } = caller;
  if (!(await lockActiveCustomer(tx, user))) await refuseEntry(caller.refuse, tx, user);
  const known = readDeviceToken(deps.env, user, device)?.evictions === user.evictions;
  const fromApp = via === 'sso';
  const { token, hash, expiration } = await openSession(tx, user, deps, { box, handed, fromApp, keyHash });
  const isNewDevice = !known && (await hasSignedIn(tx, user, deps));
  const login = await recordLogin(tx, user, caller, { box, sessionHash: hash });
  if (box || fromApp) await recordAppLogin(tx, user);
  if (isNewDevice) await notifyOfNewDevice(tx, user, login, caller);
  // the browser discards its previous session, so that session must not stay usable
  if (caller.tokenHash) await closeSession(tx, user.brand, caller.tokenHash);
  deps.log.info({ brand: user.brand, uid: user.uid, via, isNewDevice }, 'signed in');
  return {
    token,
    uid: user.uid,
    // a phone with a handed-over checkout does not learn the account name
    account: handed ? maskAccount(user.account) : user.account,
    type: user.accountType,
    accountLoginType: via === 'password' || via === 'code' ? user.accountType : via,
    payStatus: await payStatusOf(tx, user, deps.clock()),
    expiration,
    ...(keyHash != null && { tokenType: 'DPoP' }),
    ...(user.leavesAt !== null && { leavesAt: user.leavesAt }),
    // a TV or a guest's phone must not become a known device, which may try more passwords
    ...(handed && { onlyPlanId: handed.checkout.planId }),
    ...(box || handed ? { buysOnly: true } : deviceTokenFor(user, { known: known ? device : undefined, via, deps })),
  };
}

/**
 * A creator's link or QR code opens the account on any device. For an unproved account that device may be the owner's,
 * who would then count as its creator (`verifyAccount`), so it gets no token.
 */
function deviceTokenFor(
  user: Customer,
  { known, via, deps }: { known: string | undefined; via: SignInOptions['via']; deps: Caller['deps'] },
): { deviceToken?: string } {
  if (known !== undefined) return { deviceToken: known };
  const byCreator = via === 'sso' || via === 'device';
  return byCreator && user.verifiedAt === null ? {} : { deviceToken: newDeviceToken(deps, user) };
}

/** Refuses a customer who has proved to be the owner, with the reason. */
async function refuseEntry(
  refuse: Refuse<'accountTypeRefused' | 'loginNotAllowed'>,
  tx: Database,
  user: Customer,
): Promise<never> {
  const owner = await lockCustomer(tx, user);
  if (owner) assertLoginAllowed(refuse, owner);
  return refuse('loginNotAllowed');
}

/** Sets `loginApp` of the account: a TV device or the app has logged in. */
export async function recordAppLogin(tx: Database, { brand, uid }: Pick<Customer, 'brand' | 'uid'>): Promise<void> {
  await tx
    .update(users)
    .set({ loginApp: true })
    .where(and(eq(users.brand, brand), eq(users.uid, uid), eq(users.loginApp, false)));
}

/** A TV device's own description is untrusted, so it gets the name from the server's list. */
const boxDevice = ({ maker, model }: TvDeviceName) => ({ device: maker || 'Smart TV', model });

async function recordLogin(
  tx: Database,
  user: Customer,
  { deps, ip, userAgent }: Caller,
  { box, sessionHash }: { box: TvDeviceName | undefined; sessionHash: string },
): Promise<Login> {
  const login = { ...(box ? boxDevice(box) : deviceOf(userAgent)), ip, at: deps.clock() };
  const { brand, uid } = user;
  await tx.insert(loginRecords).values({ id: deps.random.id(), brand, uid, sessionHash, ...login });
  return login;
}

/** Every account logs in when it is created; the record of an older one may have been purged. */
async function hasSignedIn(
  tx: Database,
  { brand, uid, createdAt }: Customer,
  { env, clock }: Pick<Deps, 'env' | 'clock'>,
): Promise<boolean> {
  if (createdAt < monthsBefore(clock(), env.SIGN_INS_KEPT_MONTHS)) return true;
  const rows = await tx
    .select({ id: loginRecords.id })
    .from(loginRecords)
    .where(and(eq(loginRecords.brand, brand), eq(loginRecords.uid, uid)))
    .limit(1);
  return rows.length > 0;
}

async function notifyOfNewDevice(tx: Database, user: Customer, login: Login, { deps, brand }: Caller): Promise<void> {
  if (user.email === null) return;
  await queueMail(tx, { brand, to: user.email, ...newSignInMail(brand, user.language, login) }, deps);
}

/** The customer's pay status. Orders are queried only if the customer's row has no plan ([Note: Periods]). */
async function payStatusOf(db: Database, user: PeriodOwner, now: number): Promise<PayStatus> {
  const expiredTime = accessUntil(user);
  const status = payStatus({ planId: user.planId, expiredTime }, now);
  if (status !== 'FREE_TRIAL' || expiredTime === null) return status;
  const bought = (await periodsOf(db, user, now)).find(({ planId }) => planId !== null);
  return payStatus({ planId: bought?.planId ?? null, expiredTime }, now);
}

/**
 * FREE_TRIAL before the first plan, while trial days last; then whether a plan is active. `now` is epoch milliseconds.
 */
export function payStatus({ planId, expiredTime }: Pick<Customer, 'planId' | 'expiredTime'>, now: number): PayStatus {
  if (expiredTime === null) return 'FREE_TRIAL';
  if (expiredTime <= now) return 'EXPIRED';
  return planId === null ? 'FREE_TRIAL' : 'PAID';
}

export const codeLogin: Handler<typeof contract.codeLogin> = async ({ body }, context) => {
  const { deps, brand, ip } = context;
  if (!brand.config.login.codeLogin) return context.refuse('operationUnsupported');
  assertCanBeSent(context.refuse, deps, body.type);
  const identity = identityOf(context.refuse, brand, body);
  const owner = { brand: brand.code, account: identity.account, ip };
  const { code, request, device } = body;
  // read before the code is consumed, so that the login fails if the account is evicted meanwhile
  const user = await findUser(deps.db, brand.code, identity);
  const subject = limitSubjectOf(deps.env, user, { ...owner, device });
  await consumeCode(context.refuse, deps, { ...owner, ...subject, scene: 'login', code, request });
  // the code of an account that does not exist was sent to no one, so a guessed one is refused like any wrong code
  if (!user) return context.refuse('wrongCode', { triesLeft: 0 });
  assertLoginAllowed(context.refuse, user);
  await clearLoginGuesses(deps.db, owner);
  return deps.db.transaction(async (tx) => {
    const proof = { isCreator: subject.known !== undefined };
    const proved = identity.type === user.accountType ? await verifyAccount(tx, user, proof, context) : user;
    return signIn(tx, proved ?? user, context, { via: 'code', device });
  });
};
