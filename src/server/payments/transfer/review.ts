import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm';
import { orderView } from '../../billing/order-view.ts';
import { findPurchase, type Purchase } from '../../billing/purchase-rows.ts';
import { settle } from '../../billing/settle.ts';
import type { Database } from '../../db/connect.ts';
import { attempts, transfers, uploads } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { queueMail } from '../../email/outbox.ts';
import { reminderMail } from '../../email/reminder-mail.ts';
import { answerOf, endOf, payloadOf, transferLifetimeMs, type Transfer } from './transfer-state.ts';

/** What the brand's people see of a transfer and do about it ([Note: Transfers]). */
export interface Reviewable {
  readonly orderId: string;
  readonly transfer: Transfer;
  /** when the proof came, in epoch milliseconds */
  readonly since: number;
}

/** A proof that nobody has looked at yet; also of an order that was cancelled meanwhile, because its money may be there. */
const unseen = or(
  eq(transfers.state, 'reviewing'),
  and(eq(transfers.state, 'closed'), isNotNull(transfers.objectId), isNull(transfers.reviewedAt)),
);

const givenBackShownMs = 30 * 24 * 60 * 60_000;

/** What waits for a look, the oldest first; of all brands unless one is named. */
export function waitingForReview(db: Database, brand?: string): Promise<Reviewable[]> {
  return reviewables(db, and(unseen, brand === undefined ? undefined : eq(transfers.brand, brand)));
}

/** What was accepted in the last 30 days and has to be given back by hand. `now` is epoch milliseconds. */
export function toGiveBack(db: Database, now: number, brand?: string): Promise<Reviewable[]> {
  const marked = and(eq(transfers.state, 'refunded'), gt(transfers.reviewedAt, now - givenBackShownMs));
  return reviewables(db, and(marked, brand === undefined ? undefined : eq(transfers.brand, brand)));
}

/** The transfers of an order, or the one with this reference. */
export function transfersNamed(db: Database, name: string): Promise<Reviewable[]> {
  return reviewables(db, or(eq(attempts.orderId, name), eq(transfers.reference, name)));
}

async function reviewables(db: Database, which: SQL | undefined): Promise<Reviewable[]> {
  const rows = await db
    .select({ orderId: attempts.orderId, transfer: transfers, proofAt: uploads.createdAt })
    .from(transfers)
    .innerJoin(attempts, eq(attempts.id, transfers.key))
    .leftJoin(uploads, eq(uploads.objectId, transfers.objectId))
    .where(and(which, ne(transfers.reference, '')))
    .orderBy(asc(transfers.createdAt), asc(transfers.key));
  return rows
    .map(({ orderId, transfer, proofAt }) => ({ orderId, transfer, since: proofAt ?? transfer.createdAt }))
    .sort((one, other) => one.since - other.since);
}

/** The one that is meant: what waits for a look, else what waits, else the only one. Undefined where that is not clear. */
export function meantOf(named: readonly Reviewable[]): Reviewable | undefined {
  const looks = named.filter(({ transfer }) => isUnseen(transfer));
  if (looks.length > 0) return looks.length === 1 ? looks[0] : undefined;
  const [only, ...more] = named;
  if (more.length === 0) return only;
  // a second yes to an order that has had one must not accept another transfer of it
  return (
    named.find(({ transfer }) => isAccepted(transfer)) ?? named.find(({ transfer }) => transfer.state === 'waiting')
  );
}

function isUnseen({ state, objectId, reviewedAt }: Transfer): boolean {
  return state === 'reviewing' || (state === 'closed' && objectId !== null && reviewedAt === null);
}

function isAccepted({ state }: Transfer): boolean {
  return state === 'accepted' || state === 'refunded';
}

/**
 * - `paid`: accepted, and the order is paid by it.
 * - `paidTwice`: accepted, but something else has paid the order already; this money goes back.
 * - `before`: somebody has accepted it before.
 * - `rejected`: the proof is none; the customer can send another.
 * - `dismissed`: the proof is none, and the order has ended anyway.
 * - `nothing`: there is no proof that could be rejected, or another has come meanwhile.
 */
export type ReviewOutcome = 'paid' | 'paidTwice' | 'before' | 'rejected' | 'dismissed' | 'nothing';

type ReviewDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'log'>;

/**
 * The money is there. In one transaction with the order, so that it moves at once; of two who accept at the same moment
 * one is told `before`. Whatever the transfer waited for, or whether it had ended, money that came is never dropped.
 */
export function acceptTransfer(deps: ReviewDeps, { key }: Pick<Transfer, 'key'>): Promise<ReviewOutcome> {
  const now = deps.clock();
  return deps.db.transaction(async (tx) => {
    const [accepted] = await tx
      .update(transfers)
      .set({ state: 'accepted', reviewedAt: now })
      .where(and(eq(transfers.key, key), inArray(transfers.state, ['waiting', 'reviewing', 'closed'])))
      .returning();
    if (!accepted) return 'before';
    return (await settled({ ...deps, db: tx }, accepted, now)) ? 'paid' : 'paidTwice';
  });
}

/** The proof that was looked at is none: the customer is told so and has a day for another one. */
export function rejectProof(deps: ReviewDeps, seen: Transfer): Promise<ReviewOutcome> {
  const now = deps.clock();
  // the proof that was seen, and not one that came since
  const same = and(
    eq(transfers.key, seen.key),
    eq(transfers.objectId, seen.objectId ?? ''),
    isNull(transfers.reviewedAt),
  );
  const looked = { proofRejected: true, reviewedAt: now };
  return deps.db.transaction(async (tx) => {
    const expiresAt = Math.max(endOf(seen, now), now + transferLifetimeMs);
    const [back] = await tx
      .update(transfers)
      .set({ ...looked, state: 'waiting', expiresAt, payload: payloadOf({ ...seen, expiresAt }) })
      .where(and(same, eq(transfers.state, 'reviewing')))
      .returning();
    if (back) {
      const inside = { ...deps, db: tx };
      await settled(inside, back, now);
      await tellRejected(inside, back, now);
      return 'rejected';
    }
    const ended = await tx
      .update(transfers)
      .set(looked)
      .where(and(same, eq(transfers.state, 'closed')))
      .returning({ key: transfers.key });
    return ended.length > 0 ? 'dismissed' : 'nothing';
  });
}

/** The customer has closed the page long ago, so a mail says it; without an address the order itself has to. */
async function tellRejected(deps: ReviewDeps, transfer: Transfer, now: number): Promise<void> {
  const purchase = await purchaseOf(deps.db, transfer);
  const { order, customer } = purchase;
  const brand = deps.catalog.byCode(order.brand);
  const { next } = answerOf(transfer, now);
  if (!brand || !next || customer.email === null) return;
  const language = customer.language;
  const { orderId, planName, methodName, total } = orderView(order, { brand, language });
  const mail = reminderMail(brand, language, { orderId, planName, methodName, total, next });
  await queueMail(deps.db, { brand, to: customer.email, ...mail }, deps);
}

async function settled(deps: ReviewDeps, transfer: Transfer, now: number): Promise<boolean> {
  return settle(deps, await purchaseOf(deps.db, transfer), answerOf(transfer, now));
}

async function purchaseOf(db: Database, { key }: Transfer): Promise<Purchase> {
  const purchase = await findPurchase(db, key);
  if (!purchase) throw new Error(`the transfer ${key} belongs to no payment`);
  return purchase;
}

export interface Proof {
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** The proof of a transfer, for the operator's eyes alone. */
export async function proofOf(db: Database, { objectId }: Transfer): Promise<Proof | undefined> {
  if (objectId === null) return undefined;
  const [row] = await db
    .select({ mediaType: uploads.mediaType, content: uploads.content })
    .from(uploads)
    .where(eq(uploads.objectId, objectId))
    .limit(1);
  return row;
}
