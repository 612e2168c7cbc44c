import { desc, eq, and, inArray, sql } from 'drizzle-orm';
import { placeRetry, throwCouponRefusal, placeOrder } from '#server/billing/place-order.ts';
import { type Database, withLockTimeout, isLockedByAnother, violatedIndex } from '#server/db/connect.ts';
import type { OrderRow, Purchase, AttemptRow } from '#server/db/purchase-rows.ts';
import { attempts, isLiveState, liveStates } from '#server/db/schema/attempts.ts';
import { sqlLiterals } from '#server/db/schema/columns.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import {
  updateSubscription,
  setGrace,
  type CardRow,
  type LockedRenewal,
} from '#server/billing/subscriptions/lock-renewal.ts';
import {
  type RenewalOffer,
  chargeTime,
  noticeLeadMs,
  requireNextStatus,
  nextPeriod,
  retries,
  retryTime,
  findRenewalOffer,
} from '#server/billing/subscriptions/renewal-rules.ts';
import { recordRefusal } from '#server/billing/subscriptions/record-refusal.ts';
import { renewalAttempt, renewalTerms, renewalAttemptKey, renewalOrder } from './charge.ts';

/** Milliseconds to wait for the outcome of a charge before checking whether it was missed. */
export const outcomeCheckDelayMs = 60 * 60_000;

/** An order of a period with the attempt to charge it. */
export type PlacedCharge = Pick<Purchase, 'order' | 'attempt'>;

/** Checks the outcome of a charge: an older process or an operator may have ended it without updating the renewal. */
export async function checkChargeOutcome(tx: Database, deps: Deps, held: LockedRenewal): Promise<void> {
  const { row } = held;
  const [latest] = await tx
    .select({ state: attempts.state, order: orders })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .where(eq(attempts.orderId, row.orderId ?? ''))
    // open attempts first: the clock may have been set back between two of them
    .orderBy(desc(sql`${attempts.state} in (${sqlLiterals(liveStates)})`), desc(attempts.createdAt), desc(attempts.id))
    .limit(1);
  const now = deps.clock();
  if (!latest || isLiveState(latest.state))
    await updateSubscription(tx, held, now, { dueAt: now + outcomeCheckDelayMs });
  else if (latest.order.paidAt === null) await recordRefusal(tx, deps, latest.order);
  else await recordPaid(tx, held, now);
}

/** The order was paid without the renewal being updated. */
async function recordPaid(tx: Database, held: LockedRenewal, now: number): Promise<void> {
  const { row, user } = held;
  const paidUntil = user.expiredTime ?? row.paidUntil;
  const nextChargeAt = chargeTime(paidUntil);
  const dueAt = nextChargeAt - noticeLeadMs(row.days);
  await setGrace(tx, held, null);
  await updateSubscription(tx, held, now, {
    ...nextPeriod(row),
    status: requireNextStatus(row, 'paid'),
    paidUntil,
    nextChargeAt,
    dueAt,
  });
}

/** Retries the same order. Skips an order that the customer is paying by hand at present. */
export async function retryCharge(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  card: CardRow,
  offer: RenewalOffer,
): Promise<PlacedCharge | undefined> {
  const { row } = held;
  const now = deps.clock();
  const [order] = await tx
    .select()
    .from(orders)
    .where(eq(orders.orderId, row.orderId ?? ''));
  if (order && order.paidAt !== null) await recordPaid(tx, held, now);
  // the order expired unpaid: the next run makes another one
  else if (!order || order.status === 'PAYMENT_CANCELLED') await anotherOrder(tx, held, now);
  else {
    const retry = await retried(tx, deps, held, order, card, offer);
    if (retry) return retry;
    await updateSubscription(tx, held, now, { dueAt: now + outcomeCheckDelayMs });
  }
  return undefined;
}

/** The announced price and date of the previous period number apply to the new one. */
async function anotherOrder(tx: Database, held: LockedRenewal, now: number): Promise<void> {
  const { period, noticed } = held.row;
  const next = period + 1;
  await updateSubscription(tx, held, now, {
    period: next,
    noticed: noticed === period ? next : 0,
    orderId: null,
    dueAt: now,
  });
}

/** Undefined while a payment of the order is under way. */
async function retried(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  order: OrderRow,
  card: CardRow,
  offer: RenewalOffer,
): Promise<PlacedCharge | undefined> {
  const live = await tx
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.orderId, order.orderId), inArray(sql`${attempts.state} || ''`, [...liveStates])));
  if (live.length > 0) return undefined;
  const terms = renewalTerms(held.row, offer);
  const attempt = renewalAttempt(held, { ...order, ...terms }, card, deps);
  try {
    // a transaction that records a manual payment locks the attempt and waits for the customer, locked here
    const placed = await withLockTimeout(tx, (inner) => placeRetry(throwCouponRefusal, inner, order, terms, attempt));
    if (placed) await tx.update(orders).set({ underReview: true }).where(eq(orders.orderId, order.orderId));
    return placed ? { order: { ...order, ...terms, status: 'PAYMENT_PENDING' }, attempt } : undefined;
  } catch (error) {
    if (violatedIndex(error) === 'attempts_one_live' || isLockedByAnother(error)) return undefined;
    throw error;
  }
}

/** Pause between two inquiries, in milliseconds. */
const pauseMs = 60_000;
/** The same if a provider does not answer, or charged another amount than expected. */
const longPauseMs = 10 * 60_000;

/**
 * Writes one attempt that may have been made before the restore, so that its gateway can be asked (`isSuspended`). The
 * renewal does not wait for it: it is never charged (`chargeRenewal`), and a refusal is not reported to the customer.
 * Undefined if no attempt is left: an operator decides.
 */
export async function recheckCharge(tx: Database, deps: Deps, held: LockedRenewal): Promise<Purchase | undefined> {
  const { row, user } = held;
  const now = deps.clock();
  const made = row.orderId === null ? [] : await tx.select().from(attempts).where(eq(attempts.orderId, row.orderId));
  if (made.some(({ state }) => isLiveState(state))) {
    await updateSubscription(tx, held, now, { dueAt: now + longPauseMs });
    return undefined;
  }
  const asked = placeOf(held, made);
  const placed = asked && (await place(tx, deps, held, asked));
  if (!placed) {
    await updateSubscription(tx, held, now, { dueAt: null });
    return undefined;
  }
  await updateSubscription(tx, held, now, { orderId: placed.order.orderId, dueAt: now + pauseMs });
  const { uid, email, language, expiredTime, graceUntil, leavesAt } = user;
  return { ...placed, customer: { uid, email, language, expiredTime, graceUntil, leavesAt } };
}

interface Asked {
  readonly refusals: number;
  /** when it would have been made, in epoch milliseconds */
  readonly at: number;
}

/** The first attempt of this period that is not stored and would have been made before the restore. */
function placeOf({ row }: LockedRenewal, made: readonly AttemptRow[]): Asked | undefined {
  const known = new Set(made.map(({ idempotencyKey }) => idempotencyKey));
  let at: number | null = row.nextChargeAt ?? row.paidUntil;
  for (let { refusals } = row; refusals <= retries && at !== null && at < (row.heldUntil ?? 0); refusals += 1) {
    if (!known.has(renewalAttemptKey({ ...row, refusals }))) return { refusals, at };
    at = retryTime(refusals + 1, at);
  }
  return undefined;
}

async function place(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  { refusals, at }: Asked,
): Promise<Pick<Purchase, 'order' | 'attempt'> | undefined> {
  const { row, card, brand } = held;
  const offer: RenewalOffer | undefined = findRenewalOffer({ brand, deps }, row);
  if (!offer || !card || card.gateway !== offer.method.gateway) return undefined;
  const known = await orderOf(tx, row);
  const terms = renewalTerms(row, offer);
  const order = { ...(known ?? renewalOrder(held, offer, deps)), ...terms };
  const made = renewalAttempt({ ...held, row: { ...row, refusals } }, order, card, deps);
  // providers that list payments are asked about those days
  const attempt = { ...made, createdAt: at };
  if (!known) await placeOrder(throwCouponRefusal, tx, order, attempt);
  else if (!(await placeRetry(throwCouponRefusal, tx, known, terms, attempt))) return undefined;
  return { order, attempt };
}

async function orderOf(tx: Database, { brand, uid, orderId }: LockedRenewal['row']) {
  if (orderId === null) return undefined;
  const own = and(eq(orders.brand, brand), eq(orders.uid, uid), eq(orders.orderId, orderId));
  const [order] = await tx.select().from(orders).where(own);
  return order;
}
