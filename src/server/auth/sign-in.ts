import type { UserInfo } from '../../contract/auth.ts';
import type { Database } from '../db/connect.ts';
import { loginRecords, type users } from '../db/schema.ts';
import type { RequestContext } from '../request-context.ts';
import { openSession } from './session.ts';
import { deviceOf } from './user-agent.ts';

type Customer = Pick<typeof users.$inferSelect, 'uid' | 'brand' | 'account' | 'accountType' | 'expiredTime'>;

/** Opens a session, records where from, and tells the storefront who is signed in. `db` may be a transaction. */
export async function signIn(db: Database, user: Customer, context: RequestContext): Promise<UserInfo> {
  const { deps, ip, userAgent } = context;
  const { token, expiration } = await openSession(db, user, deps);
  await db.insert(loginRecords).values({
    id: deps.random.id(),
    brand: user.brand,
    uid: user.uid,
    ...deviceOf(userAgent),
    ip,
    at: deps.clock(),
  });
  return {
    token,
    uid: user.uid,
    account: user.account,
    type: user.accountType,
    accountLoginType: user.accountType,
    payStatus: payStatus(user.expiredTime, deps.clock()),
    expiration,
  };
}

/** FREE_TRIAL before the first plan, then whether one is running. Both are epoch milliseconds. */
export function payStatus(expiredTime: number | null, now: number): UserInfo['payStatus'] {
  if (expiredTime === null) return 'FREE_TRIAL';
  return expiredTime > now ? 'PAID' : 'EXPIRED';
}
