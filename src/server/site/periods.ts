import { and, asc, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Period } from '#contract/periods.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import type { Texts } from '#server/db/schema/columns.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import { planName } from './plans.ts';
import { inLanguage } from './words.ts';

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
  const ordered = planNames && inLanguage(planNames, language, brand);
  return ordered ?? (planId === null ? null : planName(brand, planId, language));
}
