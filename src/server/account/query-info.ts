import type * as contract from '#contract/account.ts';
import { payStatus } from '#server/auth/sign-in.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import {
  lastPeriodOf,
  periodName,
  periodsOf,
  shownPeriodsOf,
  accessUntil,
  type PeriodRow,
} from '#server/site/periods.ts';
import { devicesInUse, lastSignIns } from './sign-ins.ts';
import { newDeviceToken } from '#server/auth/device-token.ts';
import { checkOwnPassword } from '#server/auth/confirm-owner.ts';
import { hashPassword, isPasswordUnchanged, assertStrongPassword } from '#server/auth/password.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { setPassword } from '#server/auth/set-password.ts';

const dayMs = 86_400_000;

/** The current period ([Note: Periods]); without one, the last. */
export const queryInfo: Handler<typeof contract.queryInfo> = async ({ body }, context) => {
  const { deps, user } = context;
  if (body.uid !== user.uid) return context.refuse('invalidUid');
  const now = deps.clock();
  const periods = await periodsOf(deps.db, user, now);
  const [running = await lastPeriodOf(deps.db, user)] = periods;
  const planId = running?.planId ?? null;
  const hadPlan = planId ?? periods.find((period) => period.planId !== null)?.planId ?? null;
  const expiredTime = accessUntil(user);
  const { uid, nickname, account, userType, unsubscribeEmail, loginApp } = user;
  return {
    uid,
    nickname,
    account,
    planId,
    planName: running && periodName(running, context),
    userType,
    expiredTime,
    accountCreationTime: user.createdAt,
    deviceSessions: await lastSignIns(context),
    limitCount: running?.devices ?? user.limitCount,
    userDevice: await devicesInUse(deps.db, user, now),
    unsubscribeEmail,
    loginApp,
    bizRemainingDays: Math.ceil(unspentOf(periods, now) / dayMs),
    payStatus: payStatus({ planId: hadPlan, expiredTime }, now),
    leavesAt: user.leavesAt,
    periods: shownPeriodsOf(periods, context),
  };
};

function unspentOf(periods: readonly PeriodRow[], now: number): number {
  return periods
    .filter(({ kind }) => kind === 'paid')
    .reduce((sum, { from, until }) => sum + until - Math.max(from ?? now, now), 0);
}

/** Each change notifies the account's email address or number, which may belong to someone else until it is verified. */
const changesADay = { tries: 10, windowMs: 24 * 60 * 60_000 };

/** Only the device that changed the password stays known, by a new device token. */
export const changePassword: Handler<typeof contract.changePassword> = async ({ body }, context) => {
  const { deps, brand, user, ip } = context;
  assertStrongPassword(body.newPassword, { brand, account: user.account, field: 'newPassword' });
  const current = await checkOwnPassword(context, body.currentPassword);
  const change = await countTry(deps.db, `password changes ${brand.code} ${user.uid}`, changesADay, deps.clock());
  if (!change.allowed) return context.refuse('tooManyFailures', { waitSeconds: change.waitSeconds });
  const passwordHash = await hashPassword(body.newPassword, ip);
  const changed = await deps.db.transaction(async (tx) => {
    if (!(await isPasswordUnchanged(tx, user, current))) return context.refuse('wrongPassword');
    return setPassword(tx, user, passwordHash, context);
  });
  return { deviceToken: newDeviceToken(deps, changed ?? user) };
};
