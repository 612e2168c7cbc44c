import { desc, eq, and, inArray, sql } from 'drizzle-orm';
import { placeRetry, refusesNothing } from '#server/billing/place-order.ts';
import type { Database } from '#server/db/connect.ts';
import { withLockTimeout, isLockedByAnother, violatedIndex } from '#server/db/driver-results.ts';
import type { OrderRow, Purchase } from '#server/db/purchase-rows.ts';
import { attempts, isLiveState, liveStates } from '#server/db/schema/attempts.ts';
import { listed } from '#server/db/schema/columns.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { change, setGrace, type CardRow, type LockedRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import { moved, nextPeriod } from '#server/billing/subscriptions/moves.ts';
import type { Offer } from '#server/billing/subscriptions/offer.ts';
import { recordRefusal } from '#server/billing/subscriptions/record-refusal.ts';
import { chargeTime, noticeLeadMs } from '#server/billing/subscriptions/times.ts';
import { renewalAttempt, renewalTerms } from './charge.ts';

/** How long the outcome of a charge is waited for before it is looked whether it was missed, in milliseconds. */
export const outcomeCheckDelayMs = 60 * 60_000;

/** An order of a period with the try that is made to charge it. */
export type Placed = Pick<Purchase, 'order' | 'attempt'>;

/** A process of before, or a person's hand, may have ended the charge without a word to the renewal. */
export async function look(tx: Database, deps: Deps, held: LockedRenewal): Promise<void> {
  const { row } = held;
  const [latest] = await tx
    .select({ state: attempts.state, order: orders })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .where(eq(attempts.orderId, row.orderId ?? ''))
    // one that is open first: the clock may have been put back between two of them
    .orderBy(desc(sql`${attempts.state} in (${listed(liveStates)})`), desc(attempts.createdAt), desc(attempts.id))
    .limit(1);
  const now = deps.clock();
  if (!latest || isLiveState(latest.state)) await change(tx, held, now, { dueAt: now + outcomeCheckDelayMs });
  else if (latest.order.paidAt === null) await recordRefusal(tx, deps, latest.order);
  else await goOn(tx, held, now);
}

/** It was paid by a process that knew nothing of renewals. */
async function goOn(tx: Database, held: LockedRenewal, now: number): Promise<void> {
  const { row, user } = held;
  const paidUntil = user.expiredTime ?? row.paidUntil;
  const nextChargeAt = chargeTime(paidUntil);
  const dueAt = nextChargeAt - noticeLeadMs(row.days);
  await setGrace(tx, held, null);
  await change(tx, held, now, { ...nextPeriod(row), status: moved(row, 'paid'), paidUntil, nextChargeAt, dueAt });
}

/** The same order is tried again. Who is paying it by hand in this moment is left alone. */
export async function again(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  card: CardRow,
  offer: Offer,
): Promise<Placed | undefined> {
  const { row } = held;
  const now = deps.clock();
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.orderId, row.orderId ?? ''));
  if (order && order.paidAt !== null) await goOn(tx, held, now);
  // nobody came to pay it: the next look makes another one
  else if (!order || order.status === 'PAYMENT_CANCELLED') await anotherOrder(tx, held, now);
  else {
    const retry = await retried(tx, deps, held, order, card, offer);
    if (retry) return retry;
    await change(tx, held, now, { dueAt: now + outcomeCheckDelayMs });
  }
  return undefined;
}

/** What was told of the period before is what is charged for this one. */
async function anotherOrder(tx: Database, held: LockedRenewal, now: number): Promise<void> {
  const { period, noticed } = held.row;
  const next = period + 1;
  await change(tx, held, now, { period: next, noticed: noticed === period ? next : 0, orderId: null, dueAt: now });
}

/** Undefined where somebody is paying it in this moment. */
async function retried(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  order: OrderRow,
  card: CardRow,
  offer: Offer,
): Promise<Placed | undefined> {
  const live = await tx
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.orderId, order.orderId), inArray(sql`${attempts.state} || ''`, [...liveStates])));
  if (live.length > 0) return undefined;
  const terms = renewalTerms(held.row, offer);
  const attempt = renewalAttempt(held, { ...order, ...terms }, card, deps);
  try {
    // who books a try by hand holds it, and wants the customer, who is held here
    const placed = await withLockTimeout(tx, (inner) => placeRetry(refusesNothing, inner, order, terms, attempt));
    if (placed) await tx.update(orders).set({ underReview: true }).where(eq(orders.orderId, order.orderId));
    return placed ? { order: { ...order, ...terms, status: 'PAYMENT_PENDING' }, attempt } : undefined;
  } catch (error) {
    if (violatedIndex(error) === 'attempts_one_live' || isLockedByAnother(error)) return undefined;
    throw error;
  }
}
