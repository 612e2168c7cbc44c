import { and, eq, gte, ne, sql, type SQL } from 'drizzle-orm';
import type { WithdrawalState } from '#contract/order.ts';
import { nextStatus } from '#contract/order-status.ts';
import { timeZoneOf, endOfDayAfter } from '#server/brand/time-zone.ts';
import type { Database } from '#server/db/connect.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders, type Withdrawal } from '#server/db/schema/orders.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import type { PeriodChange } from '#contract/periods.ts';
import { users } from '#server/db/schema/users.ts';

/**
 * A withdrawal: within the days that the brand grants, a customer may cancel a paid order and get the money back. The
 * request moves the order to REFUND_PENDING, turns its renewal off and queues an email, in one transaction. Then the
 * payment is refunded (`requestRefund`), and access ends once that succeeds. If no provider can refund, or one has
 * rejected it, the order stays REFUND_PENDING until the operator (`withdrawals list`) sends and confirms the money, or
 * refuses with a reason.
 */
type Shown = Pick<RequestContext, 'brand'> & Partial<Pick<RequestContext, 'user'>>;

/** The state of a withdrawal, or whether it is possible; null on a TV, because guests use it. */
export function withdrawalOf(row: OrderRow, { brand, user }: Shown): WithdrawalState | null {
  const { status, withdrawal, currency, paidAt } = row;
  if (withdrawal && status === 'REFUND_PENDING') {
    const { requestedAt: at, amount, byHandSince } = withdrawal;
    return { state: 'requested', at, amount: { amount, currency }, byHand: byHandSince !== undefined };
  }
  if (withdrawal?.refusedAt !== undefined && status === 'REFUND_REJECTED') {
    return { state: 'refused', at: withdrawal.refusedAt, words: withdrawal.words ?? null };
  }
  const days = brand.config.payment.withdrawalDays;
  const amount = row.total - row.refunded;
  if (days === undefined || paidAt === null || withdrawal || amount <= 0 || user?.sessionKind === 'box') return null;
  if (nextStatus(status, 'refundOpened') === undefined) return null;
  const until = endOfDayAfter(paidAt, days, timeZoneOf(brand.config));
  return { state: 'possible', until, amount: { amount, currency } };
}

/** Whether a request waits for its refund. */
export const isWithdrawalOpen = ({ status, withdrawal }: Pick<OrderRow, 'status' | 'withdrawal'>): boolean =>
  status === 'REFUND_PENDING' && withdrawal !== null && withdrawal.refusedAt === undefined;

/**
 * Defers a request to the operator, because its provider does not refund it; false if no request is open. `tx` is the
 * transaction that stores the provider's answer.
 */
export async function deferToOperator(tx: Database, orderId: string, why: string, now: number): Promise<boolean> {
  const [order] = await tx.select().from(orders).where(eq(orders.orderId, orderId)).for('update');
  if (!order?.withdrawal || !isWithdrawalOpen(order)) return false;
  const { byHandSince = now, ...rest } = order.withdrawal;
  await setWithdrawal(tx, orderId, { ...rest, why, byHandSince });
  await tx
    .update(ledger)
    .set({ giveBackAt: null })
    .where(and(eq(ledger.orderId, orderId), eq(ledger.kind, 'capture')));
  return true;
}

export async function setWithdrawal(tx: Database, orderId: string, withdrawal: Withdrawal): Promise<void> {
  await tx.update(orders).set({ withdrawal }).where(eq(orders.orderId, orderId));
}

/**
 * Revokes the remaining access of an order, from now or from its start to its end. Later periods move forward by that
 * time and keep their plan and devices, so the customer loses no more than this order gave, and nothing of the past.
 * Each order stores what changed and why, and a second call finds nothing to revoke. `tx` has locked the customer's
 * orders; `now` is epoch milliseconds.
 */
export async function revokeUnusedService(
  tx: Database,
  { brand, uid, orderId }: Pick<OrderRow, 'brand' | 'uid' | 'orderId'>,
  because: PeriodChange['because'],
  now: number,
): Promise<void> {
  const mine = and(eq(orders.brand, brand), eq(orders.uid, uid));
  const [given] = await tx
    .select()
    .from(orders)
    .where(and(mine, eq(orders.orderId, orderId)));
  const start = given?.serviceStart ?? now;
  const end = given?.serviceEnd ?? now;
  const from = Math.max(now, start);
  const taken = end - from;
  if (taken <= 0) return;
  const changed = (kind: PeriodChange['kind']) => appendChange({ at: now, kind, because, orderId, ms: taken });
  await tx
    .update(orders)
    .set({ serviceEnd: from, serviceChanges: changed('shortened') })
    .where(and(mine, eq(orders.orderId, orderId)));
  await tx
    .update(orders)
    .set({
      serviceStart: sql`${orders.serviceStart} - ${taken}`,
      serviceEnd: sql`${orders.serviceEnd} - ${taken}`,
      serviceChanges: changed('moved'),
    })
    .where(and(mine, ne(orders.orderId, orderId), gte(orders.serviceStart, end)));
  await tx
    .update(users)
    .set({
      expiredTime: sql`greatest(least(${users.expiredTime}, ${now}::bigint), ${users.expiredTime} - ${taken}::bigint)`,
    })
    .where(and(eq(users.brand, brand), eq(users.uid, uid)));
}

function appendChange(change: PeriodChange): SQL {
  return sql`${orders.serviceChanges} || ${JSON.stringify([change])}::jsonb`;
}
