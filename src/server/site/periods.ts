import { and, asc, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Period } from '#contract/periods.ts';
import type { Brand, PlanRow } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import type { Texts } from '#server/db/schema/columns.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import { planName } from './plan.ts';
import { localize } from './documents.ts';
import { expiryAfter } from '#contract/account.ts';
import { errorCode } from '#contract/error-codes.ts';
import type { Plan, PlanRefusal } from '#contract/plan.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';

/** The fields of a customer that determine periods, besides the orders. */
export const periodOwner = {
  brand: users.brand,
  uid: users.uid,
  planId: users.planId,
  limitCount: users.limitCount,
  expiredTime: users.expiredTime,
  graceUntil: users.graceUntil,
};
export type PeriodOwner = Pick<typeof users.$inferSelect, keyof typeof periodOwner>;

/** A period before its names are translated ([Note: Periods]). */
export interface PeriodRow extends Omit<Period, 'planName'> {
  /** the plan's names when it was ordered; null if no order granted it */
  readonly planNames: Texts<string> | null;
}

/** More than any customer buys in advance. */
const shownPeriods = 12;

/**
 * The current and later periods, in order. Reads only orders with remaining days, by an index whatever the number of
 * earlier orders, and nothing if no days remain.
 */
export async function periodsOf(db: Database, owner: PeriodOwner, now: number): Promise<PeriodRow[]> {
  if ((owner.expiredTime ?? 0) <= now) return graceOf(db, owner, now);
  const rows = await db
    .select(columns)
    .from(orders)
    .where(and(ownOrders(owner), gt(orders.serviceEnd, now), gt(orders.serviceEnd, orders.serviceStart)))
    .orderBy(asc(orders.serviceEnd));
  return withGivenDays(owner, rows, now);
}

/** The period that ended last, if none runs: null before the first one, and if its days were taken back. */
export async function lastPeriodOf(db: Database, owner: PeriodOwner): Promise<PeriodRow | null> {
  if (owner.expiredTime === null) return null;
  const [last] = await db
    .select({ ...columns, days: orders.days })
    .from(orders)
    .where(and(ownOrders(owner), isNotNull(orders.serviceEnd), gt(orders.serviceEnd, orders.serviceStart)))
    .orderBy(desc(orders.serviceEnd))
    .limit(1);
  const { planId, limitCount: devices, expiredTime: until } = owner;
  const given = planId === null ? null : { ...ofOwner, planId, devices, from: null, until };
  if (!last || last.until < until) return given;
  return last.until - last.from < last.days * dayMs ? null : { ...ofOrder, ...last };
}

const dayMs = 86_400_000;
const ofOrder = { kind: 'paid' } as const;
const ofOwner = { kind: 'given', orderId: null, planNames: null } as const;

const columns = {
  orderId: orders.orderId,
  planId: orders.planId,
  planNames: orders.planNames,
  devices: orders.devices,
  from: sql<number>`${orders.serviceStart}`.mapWith(orders.serviceStart),
  until: sql<number>`${orders.serviceEnd}`.mapWith(orders.serviceEnd),
};

const ownOrders = ({ brand, uid }: PeriodOwner) =>
  and(eq(orders.brand, brand), eq(orders.uid, uid), isNotNull(orders.serviceEnd));

/** The grace period: access without payment, with the plan and devices of the last period ([Note: Grace]). */
async function graceOf(db: Database, owner: PeriodOwner, now: number): Promise<PeriodRow[]> {
  const { expiredTime, graceUntil } = owner;
  if (expiredTime === null || graceUntil === null || graceUntil <= now) return [];
  const last = await lastPeriodOf(db, owner);
  const { planId, planNames, devices } = last ?? { ...ofOwner, planId: owner.planId, devices: owner.limitCount };
  return [{ kind: 'grace', orderId: null, planId, planNames, devices, from: expiredTime, until: graceUntil }];
}

type PaidPeriod = Omit<PeriodRow, 'kind' | 'from'> & { readonly from: number };

/**
 * Adds periods of kind `given` for the time until the end of access that no order covers, mostly before the first
 * order.
 */
function withGivenDays(owner: PeriodOwner, paid: readonly PaidPeriod[], now: number): PeriodRow[] {
  const { planId, limitCount: devices } = owner;
  const end = owner.expiredTime ?? now;
  const periods: PeriodRow[] = [];
  let reached = now;
  const fill = (until: number) => {
    const from = reached === now ? null : reached;
    if (until > reached) periods.push({ ...ofOwner, planId, devices, from, until });
    reached = Math.max(reached, until);
  };
  for (const one of paid) {
    if (one.from >= end) break;
    fill(one.from);
    const until = Math.min(one.until, end);
    periods.push({ ...ofOrder, ...one, until });
    reached = Math.max(reached, until);
  }
  fill(end);
  return periods;
}

/** The periods for display, at most twelve. */
export function shownPeriodsOf(
  periods: readonly PeriodRow[],
  { brand, language }: { brand: Brand; language: Language },
): Period[] {
  return periods.slice(0, shownPeriods).map(({ planNames, ...period }) => ({
    ...period,
    planName: periodName({ planNames, ...period }, { brand, language }),
  }));
}

/** The plan's name at the time of the order; for days without an order, its current name. */
export function periodName(
  { planNames, planId }: Pick<PeriodRow, 'planNames' | 'planId'>,
  { brand, language }: { brand: Brand; language: Language },
): string | null {
  const ordered = planNames && localize(planNames, language, brand);
  return ordered ?? (planId === null ? null : planName(brand, planId, language));
}

interface Access {
  readonly expiredTime: number | null;
  readonly graceUntil: number | null;
}

/**
 * Refuses with `resetPasswordFirst` a customer who must first set a new password after an upgrade, and with
 * `cannotBuyPlan` a plan for one device while one for several runs or follows; `availableFrom` is when the last of
 * those ends. A trial restricts nothing: a customer with a trial for several devices may buy a plan for one, and
 * retains the remaining days. `periods` are the current and later ones (`periodsOf`), read once for all plans.
 */
export function assertCanBuy(
  refuse: Refuse<'cannotBuyPlan' | 'resetPasswordFirst'>,
  user: { readonly passwordResetDue: boolean },
  plan: Pick<PlanRow, 'id' | 'devices'>,
  periods: readonly Days[],
): void {
  if (user.passwordResetDue) refuse('resetPasswordFirst');
  const availableFrom = waitsUntil(plan, periods);
  if (availableFrom !== undefined) refuse('cannotBuyPlan', { availableFrom, planId: plan.id });
}

type Days = Pick<PeriodRow, 'kind' | 'planId' | 'devices' | 'until'>;

/** When the days for several devices end that defer this plan; undefined if no such days remain. */
function waitsUntil({ devices }: Pick<PlanRow, 'devices'>, periods: readonly Days[]): number | undefined {
  if (devices > 1) return undefined;
  return periods.findLast((period) => period.kind !== 'grace' && period.planId !== null && period.devices > 1)?.until;
}

/** How a plan is presented to a customer with these periods: the current one, or one that cannot be bought now. */
export function planStatusFor(plan: PlanRow, periods: readonly PeriodRow[]): Pick<Plan, 'refusal' | 'yours'> {
  const runs = periods[0]?.planId === plan.id;
  const refusal = refusalOf(plan, periods);
  return { ...(runs && { yours: true }), ...(refusal && { refusal }) };
}

/** A due new password (`resetPasswordFirst`) concerns the account and not the plan. */
function refusalOf(plan: PlanRow, periods: readonly PeriodRow[]): PlanRefusal | undefined {
  const availableFrom = waitsUntil(plan, periods);
  return availableFrom === undefined ? undefined : { errCode: errorCode('cannotBuyPlan'), availableFrom };
}

/** When access ends: the end of the paid time, or of the grace of an unpaid renewal ([Note: Grace]). */
export function accessUntil({ expiredTime, graceUntil }: Access): number | null {
  if (graceUntil === null || expiredTime === null) return expiredTime;
  return Math.max(expiredTime, graceUntil);
}

/** The start and end of the days of a plan if it is paid now. In grace they start where the paid time ended. */
export function periodIfPaid({ expiredTime, graceUntil }: Access, { days }: Pick<PlanRow, 'days'>, now: number) {
  const onCredit = expiredTime !== null && graceUntil !== null && graceUntil > now;
  const from = expiryAfter(expiredTime, 0, onCredit ? expiredTime : now);
  return { from, until: expiryAfter(from, days, from) };
}
