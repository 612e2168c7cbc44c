import { and, asc, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { ProofRejection } from '#contract/next-step.ts';
import { isRefund } from './books.ts';
import { orderView } from './order-view.ts';
import { findPurchase, type Purchase } from '#server/db/purchase-rows.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { hasUnseenProof, transfers, uploads } from '#server/db/schema/transfers.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { reminderMail } from '#server/messages/order-mails.ts';
import {
  answerOf,
  endOf,
  payloadOf,
  transferLifetimeMs,
  type Transfer,
} from '#server/payments/transfer/transfer-state.ts';

/** What the brand's people see of a transfer and do about it ([Note: Transfers]). */
export interface Reviewable {
  readonly orderId: string;
  readonly transfer: Transfer;
  /** when the proof came, or the money was given back, in epoch milliseconds */
  readonly since: number;
}

const givenBackShownMs = 30 * 24 * 60 * 60_000;

/** What waits for a look, the oldest first; of all brands unless one is named. */
export function waitingForReview(db: Database, brand?: string): Promise<Reviewable[]> {
  return reviewables(db, and(hasUnseenProof(transfers), brand === undefined ? undefined : eq(transfers.brand, brand)));
}

/**
 * What people have to send back, as the books say it was given back in the last 30 days: each part, what was left of an order,
 * a second payment. `since` is that moment, and the amount what is to be sent.
 */
export async function transfersToRefund(db: Database, now: number, brand?: string): Promise<Reviewable[]> {
  const rows = await db
    .select({ orderId: ledger.orderId, transfer: transfers, given: ledger.amount, since: ledger.at })
    .from(ledger)
    .innerJoin(transfers, eq(transfers.key, ledger.attemptId))
    .where(
      and(
        isRefund,
        gt(ledger.at, now - givenBackShownMs),
        lt(ledger.amount, 0),
        // who sent the money of a withdrawal has said so (operator/withdrawals.ts)
        sql`not exists (select 1 from ${orders} where ${orders.orderId} = ${ledger.orderId} and ${orders.withdrawal} ? 'byHandSince')`,
        brand === undefined ? undefined : eq(transfers.brand, brand),
      ),
    )
    .orderBy(asc(ledger.at), asc(ledger.id));
  return rows.map(({ given, transfer, ...one }) => ({ ...one, transfer: { ...transfer, amount: -given } }));
}

/** The transfers of an order, or the one with this reference. */
export function transfersNamed(db: Database, name: string): Promise<Reviewable[]> {
  const ofOrder = db.select({ id: attempts.id }).from(attempts).where(eq(attempts.orderId, name));
  return reviewables(db, or(sql`${transfers.key} = any(array${ofOrder})`, eq(transfers.reference, name)));
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

type ReviewDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'limitMetrics' | 'sms'>;

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
    return (await applyReview({ ...deps, db: tx }, accepted, now)) ? 'paid' : 'paidTwice';
  });
}

/** The proof that was looked at is none: the customer is told so and has a day for another one. */
export function rejectProof(
  deps: ReviewDeps,
  seen: Transfer,
  rejection: ProofRejection = { reason: 'notFound' },
): Promise<ReviewOutcome> {
  const now = deps.clock();
  // the proof that was seen, and not one that came since
  const same = and(
    eq(transfers.key, seen.key),
    eq(transfers.objectId, seen.objectId ?? ''),
    isNull(transfers.reviewedAt),
  );
  const looked = { proofRejected: true, rejection, reviewedAt: now };
  return deps.db.transaction(async (tx) => {
    const expiresAt = Math.max(endOf(seen, now), now + transferLifetimeMs);
    const [back] = await tx
      .update(transfers)
      .set({ ...looked, state: 'waiting', expiresAt, payload: payloadOf({ ...seen, expiresAt }) })
      .where(and(same, eq(transfers.state, 'reviewing')))
      .returning();
    if (back) {
      const inside = { ...deps, db: tx };
      await applyReview(inside, back, now);
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

async function applyReview(deps: ReviewDeps, transfer: Transfer, now: number): Promise<boolean> {
  return applyGatewayResult(deps, await purchaseOf(deps.db, transfer), answerOf(transfer, now));
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
