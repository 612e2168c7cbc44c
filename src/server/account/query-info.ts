import type * as contract from '#contract/account.ts';
import { payStatus } from '#server/auth/sign-in.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { accessUntil } from '#server/site/availability.ts';
import { lastPeriodOf, periodName, periodsOf, shownPeriodsOf, type PeriodRow } from '#server/site/periods.ts';
import { devicesInUse, lastSignIns } from './sign-ins.ts';

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
