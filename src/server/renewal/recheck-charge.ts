import { and, eq } from 'drizzle-orm';
import { placeOrder, placeRetry, refusesNothing } from '#server/billing/place-order.ts';
import type { Database } from '#server/db/connect.ts';
import type { AttemptRow, Purchase } from '#server/db/purchase-rows.ts';
import { attempts, isLiveState } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { change, type LockedRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import { offerOf, type Offer } from '#server/billing/subscriptions/offer.ts';
import { retries, retryTime } from '#server/billing/subscriptions/times.ts';
import { keyOf, renewalAttempt, renewalOrder, renewalTerms } from './charge.ts';

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
    await change(tx, held, now, { dueAt: now + longPauseMs });
    return undefined;
  }
  const asked = placeOf(held, made);
  const placed = asked && (await place(tx, deps, held, asked));
  if (!placed) {
    await change(tx, held, now, { dueAt: null });
    return undefined;
  }
  await change(tx, held, now, { orderId: placed.order.orderId, dueAt: now + pauseMs });
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
    if (!known.has(keyOf({ ...row, refusals }))) return { refusals, at };
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
  const offer: Offer | undefined = offerOf({ brand, deps }, row);
  if (!offer || !card || card.gateway !== offer.method.gateway) return undefined;
  const known = await orderOf(tx, row);
  const terms = renewalTerms(row, offer);
  const order = { ...(known ?? renewalOrder(held, offer, deps)), ...terms };
  const made = renewalAttempt({ ...held, row: { ...row, refusals } }, order, card, deps);
  // providers that list payments are asked about those days
  const attempt = { ...made, createdAt: at };
  if (!known) await placeOrder(refusesNothing, tx, order, attempt);
  else if (!(await placeRetry(refusesNothing, tx, known, terms, attempt))) return undefined;
  return { order, attempt };
}

async function orderOf(tx: Database, { brand, uid, orderId }: LockedRenewal['row']) {
  if (orderId === null) return undefined;
  const own = and(eq(orders.brand, brand), eq(orders.uid, uid), eq(orders.orderId, orderId));
  const [order] = await tx.select().from(orders).where(own);
  return order;
}
