import { and, eq } from 'drizzle-orm';
import type { UserInfo } from '../../contract/user.ts';
import type { Database } from '../db/connect.ts';
import { loginRecords } from '../db/schema.ts';
import type { Deps } from '../deps.ts';
import { newSignInMail, type NewSignIn as Login } from '../email/new-sign-in-mail.ts';
import { queueMail } from '../email/outbox.ts';
import { monthsBefore } from '../months-before.ts';
import type { RequestContext } from '../request-context.ts';
import { refuse } from '../api-error.ts';
import { newDeviceToken, readDeviceToken } from './device-token.ts';
import { holdCustomer } from './evict.ts';
import type { UserRow } from './find-user.ts';
import { closeSession, openSession, type BoxName } from './session.ts';
import { deviceOf } from './user-agent.ts';

type Customer = Pick<
  UserRow,
  | 'uid'
  | 'brand'
  | 'account'
  | 'accountType'
  | 'email'
  | 'language'
  | 'planId'
  | 'expiredTime'
  | 'createdAt'
  | 'evictions'
>;
type Caller = Pick<RequestContext, 'deps' | 'brand' | 'ip' | 'userAgent'> & Partial<Pick<RequestContext, 'tokenHash'>>;

export interface SignInOptions {
  /** how the customer came */
  readonly via: 'password' | 'code' | 'sso' | 'google' | 'device';
  /** the device token that came along ([Note: Device token]) */
  readonly device?: string | undefined;
  /** the session is a box's, of this name */
  readonly box?: BoxName | undefined;
}

/**
 * Opens a session, records where from, and tells the storefront who is signed in. A device that is new to a customer
 * who has signed in before is told of by mail. `user` is the customer as they were when what lets them in was looked at;
 * refuses with 203 when everybody was signed out since ([Note: Eviction]). `tx` is the caller's transaction.
 */
export async function signIn(
  tx: Database,
  user: Customer,
  caller: Caller,
  { via, device, box }: SignInOptions,
): Promise<UserInfo> {
  const { deps } = caller;
  if (!(await holdCustomer(tx, user))) refuse(203);
  const known = readDeviceToken(deps.env, user, device)?.evictions === user.evictions;
  const { token, expiration } = await openSession(tx, user, deps, box);
  const isNewDevice = !known && (await hasSignedIn(tx, user, deps));
  const login = await recordLogin(tx, user, caller, box);
  if (isNewDevice) await tellOfNewDevice(tx, user, login, caller);
  // the browser forgets the session that it had, so nobody else shall have it
  if (caller.tokenHash) await closeSession(tx, user.brand, caller.tokenHash);
  deps.log.info({ brand: user.brand, uid: user.uid, via, isNewDevice }, 'signed in');
  return {
    token,
    uid: user.uid,
    account: user.account,
    type: user.accountType,
    accountLoginType: via === 'password' || via === 'code' ? user.accountType : via,
    payStatus: payStatus(user, deps.clock()),
    expiration,
    deviceToken: known && device !== undefined ? device : newDeviceToken(deps, user),
  };
}

/** What a box says of itself is a stranger's words: it goes by the name that our own list has for it. */
const boxDevice = ({ maker, model }: BoxName) => ({ device: maker || 'Smart TV', model });

async function recordLogin(
  tx: Database,
  user: Customer,
  { deps, ip, userAgent }: Caller,
  box: BoxName | undefined,
): Promise<Login> {
  const login = { ...(box ? boxDevice(box) : deviceOf(userAgent)), ip, at: deps.clock() };
  await tx.insert(loginRecords).values({ id: deps.random.id(), brand: user.brand, uid: user.uid, ...login });
  return login;
}

/** Every account signs in when it is made; of an old one the record may have gone with its time. */
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

async function tellOfNewDevice(tx: Database, user: Customer, login: Login, { deps, brand }: Caller): Promise<void> {
  if (user.email === null) return;
  await queueMail(tx, { brand, to: user.email, ...newSignInMail(brand, user.language, login) }, deps);
}

/** FREE_TRIAL before the first plan, while its days last if it has any; then whether a plan is running. `now` in epoch ms. */
export function payStatus(
  { planId, expiredTime }: Pick<Customer, 'planId' | 'expiredTime'>,
  now: number,
): UserInfo['payStatus'] {
  if (expiredTime === null) return 'FREE_TRIAL';
  if (expiredTime <= now) return 'EXPIRED';
  return planId === null ? 'FREE_TRIAL' : 'PAID';
}
