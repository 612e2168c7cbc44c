import { and, desc, eq, gt, gte } from 'drizzle-orm';
import { isUnpaid } from '#contract/order-status.ts';
import { ordersOf } from '#server/db/purchase-rows.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { checkoutHandovers } from '#server/db/schema/handovers.ts';
import { orders } from '#server/db/schema/orders.ts';
import { sessions, type HandoverCheckout } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { createHash } from 'node:crypto';
import type { Random } from '#server/runtime/random.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { uncountTryFrom, countTryFrom } from '#server/runtime/limits/throttle.ts';

/** The rows of [Note: Hand-over]. The code is stored as a hash. */
export type HandoverRow = typeof checkoutHandovers.$inferSelect;
type NewHandover = Omit<HandoverRow, 'id' | 'userCodeHash' | 'state'>;

const codeTries = 5;

/** Inserts a pending hand-over, replacing the session's previous one. Only this call returns its code. */
export async function writeHandover(
  tx: Database,
  handover: NewHandover,
  random: Deps['random'],
): Promise<{ id: string; userCode: string }> {
  await tx.delete(checkoutHandovers).where(ofSession(handover.brand, handover.sessionHash));
  for (let tried = 0; tried < codeTries; tried += 1) {
    const userCode = newUserCode(random);
    const [written] = await tx
      .insert(checkoutHandovers)
      .values({ ...handover, id: random.id(), userCodeHash: userCodeHash(userCode), state: 'waiting' })
      .onConflictDoNothing({ target: [checkoutHandovers.brand, checkoutHandovers.userCodeHash] })
      .returning({ id: checkoutHandovers.id });
    if (written) return { id: written.id, userCode };
  }
  throw new Error('no user code is free');
}

const ofSession = (brand: string, sessionHash: string) =>
  and(eq(checkoutHandovers.brand, brand), eq(checkoutHandovers.sessionHash, sessionHash));

/** The hand-over of a code that was typed or scanned. */
export async function handoverOfUserCode(
  db: Database,
  brand: string,
  userCode: string,
): Promise<HandoverRow | undefined> {
  const [row] = await db
    .select()
    .from(checkoutHandovers)
    .where(and(eq(checkoutHandovers.brand, brand), eq(checkoutHandovers.userCodeHash, userCodeHash(userCode))))
    .limit(1);
  return row;
}

/** A hand-over that this session has opened. */
export async function handoverOfSession(
  db: Database,
  { brand, sessionHash, id }: Pick<HandoverRow, 'brand' | 'sessionHash' | 'id'>,
): Promise<HandoverRow | undefined> {
  const [row] = await db
    .select()
    .from(checkoutHandovers)
    .where(and(ofSession(brand, sessionHash), eq(checkoutHandovers.id, id)));
  return row;
}

/** Deletes a hand-over that no phone has answered. */
export async function withdrawHandover(
  db: Database,
  { brand, sessionHash, id }: Pick<HandoverRow, 'brand' | 'sessionHash' | 'id'>,
): Promise<void> {
  await db
    .delete(checkoutHandovers)
    .where(and(ofSession(brand, sessionHash), eq(checkoutHandovers.id, id), eq(checkoutHandovers.state, 'waiting')));
}

/** Stores the phone's answer, once; undefined when it was answered before, or has expired. */
export async function answerHandover(
  tx: Database,
  { id, brand }: Pick<HandoverRow, 'id' | 'brand'>,
  { state, now }: { state: 'opened' | 'refused'; now: number },
): Promise<HandoverRow | undefined> {
  const waits = and(eq(checkoutHandovers.state, 'waiting'), gt(checkoutHandovers.expiresAt, now));
  const [row] = await tx
    .update(checkoutHandovers)
    .set({ state })
    .where(and(eq(checkoutHandovers.brand, brand), eq(checkoutHandovers.id, id), waits))
    .returning();
  return row;
}

/** The session that opened a hand-over, if it has not ended. `now` is epoch milliseconds. */
export async function findHandoverOpener(
  tx: Database,
  { brand, uid, sessionHash }: Pick<HandoverRow, 'brand' | 'uid' | 'sessionHash'>,
  now: number,
): Promise<typeof sessions.$inferSelect | undefined> {
  const its = and(eq(sessions.tokenHash, sessionHash), eq(sessions.brand, brand), eq(sessions.uid, uid));
  const [row] = await tx
    .select()
    .from(sessions)
    .where(and(its, gt(sessions.expiresAt, now)));
  return row;
}

/** What the phone may see and pay after taking this hand-over. */
export function checkoutOf({ purchase, createdAt }: Pick<HandoverRow, 'purchase' | 'createdAt'>): HandoverCheckout {
  return { planId: purchase.planId, orderId: purchase.orderId ?? null, since: createdAt };
}

/**
 * The purchase since the hand-over: the newest order of its plan, or the handed-over order. The latter counts if it is
 * pending or paid, or was tried since; an earlier failure is not reported.
 */
export async function orderOfHandover(db: Database, row: HandoverRow) {
  const { brand, uid, createdAt } = row;
  const [order] = await db
    .select({ orderId: orders.orderId, status: orders.status, createdAt: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid), ordersOf(checkoutOf(row))))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(1);
  if (!order) return null;
  const found = { orderId: order.orderId, status: order.status };
  if (order.createdAt >= createdAt || !isUnpaid(order.status)) return found;
  const [tried] = await db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.orderId, order.orderId), gte(attempts.createdAt, createdAt)))
    .limit(1);
  return tried ? found : null;
}

/**
 * Wrong codes from one network; a right one is not counted, so that many devices of one household are not locked out.
 */
const limit = { tries: 20, windowMs: 10 * 60_000 };

interface Waiting {
  readonly state: string;
  /** epoch milliseconds */
  readonly expiresAt: number;
}

/**
 * The pending request of a TV's code, from `find`. `requestExpired`; `codeNotFound`: unknown, answered or used;
 * `tooFrequent`: too many attempts.
 */
export async function findByUserCode<T extends Waiting>(
  { deps, brand, ip, refuse }: RequestContext<'codeNotFound' | 'requestExpired' | 'tooFrequent'>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  const now = deps.clock();
  const what = `device ${brand.code}`;
  const taken = await countTryFrom(deps.db, what, ip, limit, now);
  if (!taken.allowed) return refuse('tooFrequent', { waitSeconds: taken.waitSeconds });
  const found = await find();
  if (found) await uncountTryFrom(deps.db, what, ip);
  if (found?.state !== 'waiting') return refuse('codeNotFound');
  return found.expiresAt > now ? found : refuse('requestExpired');
}

/** No vowels, digits or similar letters (RFC 8628, 6.1). 20^8 codes, of which few are valid at a time. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A code that a TV shows and a customer compares or types, `XXXX-XXXX`. */
export function newUserCode(random: Pick<Random, 'text'>): string {
  const letters = random.text(alphabet, length);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The stored form: SHA-256 without the dash, hex. */
export const userCodeHash = (userCode: string): string =>
  createHash('sha256').update(userCode.replaceAll('-', '')).digest('hex');
