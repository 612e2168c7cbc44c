import { and, count, desc, eq, gt } from 'drizzle-orm';
import * as contract from '../../contract/account.ts';
import { shownLoginRecords } from '../../contract/limits.ts';
import { refuse } from '../api-error.ts';
import type { SessionUser } from '../auth/session.ts';
import type { Database } from '../db/connect.ts';
import { loginRecords, sessions } from '../db/schema.ts';
import type { Handler } from '../mount.ts';
import { planName } from '../site/plans.ts';

export const queryInfo: Handler<typeof contract.queryInfo> = async ({ body }, { deps, brand, user, language }) => {
  if (body.uid !== user.uid) refuse(6699);
  const now = deps.clock();
  const { uid, nickname, account, planId, userType, expiredTime, limitCount, unsubscribeEmail, loginApp } = user;
  return {
    uid,
    nickname,
    account,
    planId,
    planName: planId && planName(brand, planId, language),
    userType,
    expiredTime,
    accountCreationTime: user.createdAt,
    deviceSessions: await lastLogins(deps.db, user),
    limitCount,
    userDevice: await openSessions(deps.db, user, now),
    unsubscribeEmail,
    loginApp,
    bizRemainingDays: contract.daysRemaining(expiredTime, now),
  };
};

async function lastLogins(db: Database, { brand, uid }: SessionUser): Promise<contract.DeviceSession[]> {
  return db
    .select({ device: loginRecords.device, model: loginRecords.model, ip: loginRecords.ip, loginAt: loginRecords.at })
    .from(loginRecords)
    .where(and(eq(loginRecords.brand, brand), eq(loginRecords.uid, uid)))
    .orderBy(desc(loginRecords.at), desc(loginRecords.id))
    .limit(shownLoginRecords);
}

/** Devices that are signed in now. */
async function openSessions(db: Database, { brand, uid }: SessionUser, now: number): Promise<number> {
  const [row] = await db
    .select({ open: count() })
    .from(sessions)
    .where(and(eq(sessions.brand, brand), eq(sessions.uid, uid), gt(sessions.expiresAt, now)));
  return row?.open ?? 0;
}
