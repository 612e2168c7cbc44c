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

/** What of a customer periods follow from, besides the orders. */
export const periodOwner = {
  brand: users.brand,
  uid: users.uid,
  planId: users.planId,
  limitCount: users.limitCount,
  expiredTime: users.expiredTime,
  graceUntil: users.graceUntil,
};
export type PeriodOwner = Pick<typeof users.$inferSelect, keyof typeof periodOwner>;

/** A period without the words of a language ([Note: Periods]). */
export interface PeriodRow extends Omit<Period, 'planName'> {
  /** the plan's names when it was ordered; null where no order gave it */
  readonly planNames: Texts<string> | null;
}

/** More than anybody buys ahead. */
const shownPeriods = 12;

/**
 * What runs now and what follows, in its order. Asks for orders whose days are left, which an index finds however many
 * there were before, and for nothing where no days are.
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

/** The period that ended last, where none runs: null before the first one, and where its days were taken back. */
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

/** Access goes on without being paid, with the plan and the devices of what has ended ([Note: Grace]). */
async function graceOf(db: Database, owner: PeriodOwner, now: number): Promise<PeriodRow[]> {
  const { expiredTime, graceUntil } = owner;
  if (expiredTime === null || graceUntil === null || graceUntil <= now) return [];
  const last = await lastPeriodOf(db, owner);
  const { planId, planNames, devices } = last ?? { ...ofOwner, planId: owner.planId, devices: owner.limitCount };
  return [{ kind: 'grace', orderId: null, planId, planNames, devices, from: expiredTime, until: graceUntil }];
}

type PaidPeriod = Omit<PeriodRow, 'kind' | 'from'> & { readonly from: number };

/** What no order's period covers until the end of all access was given: before the first order, mostly. */
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

/** As they are told, at most twelve. */
export function shownPeriodsOf(
  periods: readonly PeriodRow[],
  { brand, language }: { brand: Brand; language: Language },
): Period[] {
  return periods.slice(0, shownPeriods).map(({ planNames, ...period }) => ({
    ...period,
    planName: periodName({ planNames, ...period }, { brand, language }),
  }));
}

/** Called as it was when it was ordered; days that no order gave, as their plan is called now. */
export function periodName(
  { planNames, planId }: Pick<PeriodRow, 'planNames' | 'planId'>,
  { brand, language }: { brand: Brand; language: Language },
): string | null {
  const ordered = planNames && inLanguage(planNames, language, brand);
  return ordered ?? (planId === null ? null : planName(brand, planId, language));
}
