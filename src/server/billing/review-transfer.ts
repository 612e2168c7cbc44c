import { and, asc, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { Money } from '#contract/money.ts';
import type { ProofRejection } from '#contract/next-step.ts';
import { isRefund } from './ledger-entries.ts';
import { orderView } from './orders.ts';
import { findPurchase, type Purchase } from '#server/db/purchase-rows.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { hasUnseenProof, transfers, uploads } from '#server/db/schema/transfers.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { reminderMail } from '#server/messages/order-mails.ts';
import {
  answerOf,
  endOf,
  payloadOf,
  transferLifetimeMs,
  type Transfer,
} from '#server/payments/transfer/transfer-state.ts';

/** A transfer for review by the operator. */
export interface Reviewable {
  readonly orderId: string;
  readonly transfer: Transfer;
  /** when the proof arrived or the money was refunded, in epoch milliseconds */
  readonly since: number;
}

const refundsShownMs = 90 * 24 * 60 * 60_000;

/** The transfers that wait for a review, oldest first; of all brands unless one is named. */
export function waitingForReview(db: Database, brand?: string): Promise<Reviewable[]> {
  return reviewables(db, and(hasUnseenProof(transfers), brand === undefined ? undefined : eq(transfers.brand, brand)));
}

/**
 * The refunds of the last 90 days that the operator has to send by hand, from the ledger: partial and whole refunds, and
 * duplicate payments. `since` is the time of the refund, and `amount` what has to be sent.
 */
export async function transfersToRefund(db: Database, now: number, brand?: string): Promise<Reviewable[]> {
  // with an offset, so that each transfer is read by its key, and not all of them
  const transfer = db.select().from(transfers).where(eq(transfers.key, ledger.attemptId)).offset(0).as('transfer');
  const rows = await db
    .select({ orderId: ledger.orderId, transfer: transfer._.selectedFields, given: ledger.amount, since: ledger.at })
    .from(ledger)
    .innerJoinLateral(transfer, sql`true`)
    .where(
      and(
        isUnsentRefund,
        gt(ledger.at, now - refundsShownMs),
        brand === undefined ? undefined : eq(ledger.brand, brand),
      ),
    )
    .orderBy(asc(ledger.at), asc(ledger.id));
  return rows.map(({ given, transfer: found, ...one }) => ({ ...one, transfer: { ...found, amount: -given } }));
}

/** The operator confirms sending the money of a withdrawal in another way (operator/withdrawals.ts). */
const isUnsentRefund = and(
  isRefund,
  lt(ledger.amount, 0),
  isNull(ledger.sentAt),
  sql`not exists (select 1 from ${orders} where ${orders.orderId} = ${ledger.orderId} and ${orders.withdrawal} ? 'byHandSince')`,
);

/** Records that the refunds of these transfers were sent by hand; returns the ones that were not recorded before. */
export async function markRefundsSent(
  tx: Database,
  sent: readonly Reviewable[],
  now: number,
): Promise<readonly Money[]> {
  const keys = sent.map(({ transfer }) => transfer.key);
  const rows = await tx
    .update(ledger)
    .set({ sentAt: now })
    .where(and(inArray(ledger.attemptId, keys), isUnsentRefund))
    .returning({ amount: ledger.amount, currency: ledger.currency });
  return rows.map(({ amount, currency }) => ({ amount: -amount, currency }));
}

/** The transfers of an order, or the one with this reference. */
export function findTransfers(db: Database, name: string): Promise<Reviewable[]> {
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

/**
 * The transfer that a command refers to: the one that waits for a review, else the one that waits for money, else the
 * only one. Undefined if that is ambiguous.
 */
export function resolveTransfer(named: readonly Reviewable[]): Reviewable | undefined {
  const unreviewed = named.filter(({ transfer }) => isUnseen(transfer));
  if (unreviewed.length > 0) return unreviewed.length === 1 ? unreviewed[0] : undefined;
  const [only, ...more] = named;
  if (more.length === 0) return only;
  // accepting an order twice must not accept another transfer of it
  return (
    named.find(({ transfer }) => isAccepted(transfer)) ?? named.find(({ transfer }) => transfer.state === 'waiting')
  );
}

/** Its proof waits for a review. */
export function isUnseen({ state, objectId, reviewedAt }: Transfer): boolean {
  return state === 'reviewing' || (state === 'closed' && objectId !== null && reviewedAt === null);
}

function isAccepted({ state }: Transfer): boolean {
  return state === 'accepted' || state === 'refunded';
}

/**
 * - `paid`: accepted, and the order is paid by it.
 * - `paidTwice`: accepted, but the order was paid already; this money is refunded.
 * - `before`: it was accepted before.
 * - `rejected`: the proof is not valid; the customer can send another.
 * - `dismissed`: the proof is not valid, and the order has ended anyway.
 * - `nothing`: there is no proof to reject, or a newer one has arrived.
 */
export type ReviewOutcome = 'paid' | 'paidTwice' | 'before' | 'rejected' | 'dismissed' | 'nothing';

type ReviewDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'metrics' | 'sms'>;

/**
 * Accepts the money of a transfer in one transaction with its order; of two concurrent calls one gets `before`. Money
 * is accepted in any state of the transfer, also after it has ended.
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

/** Rejects the proof that was reviewed; the customer is notified and has a day to send another. */
export function rejectProof(
  deps: ReviewDeps,
  seen: Transfer,
  rejection: ProofRejection = { reason: 'notFound' },
): Promise<ReviewOutcome> {
  const now = deps.clock();
  // only the proof that was reviewed, not a newer one
  const same = and(
    eq(transfers.key, seen.key),
    eq(transfers.objectId, seen.objectId ?? ''),
    isNull(transfers.reviewedAt),
  );
  const reviewed = { proofRejected: true, rejection, reviewedAt: now };
  return deps.db.transaction(async (tx) => {
    const expiresAt = Math.max(endOf(seen, now), now + transferLifetimeMs);
    const [back] = await tx
      .update(transfers)
      .set({ ...reviewed, state: 'waiting', expiresAt, payload: payloadOf({ ...seen, expiresAt }) })
      .where(and(same, eq(transfers.state, 'reviewing')))
      .returning();
    if (back) {
      const inside = { ...deps, db: tx };
      await applyReview(inside, back, now);
      await notifyOfRejection(inside, back, now);
      return 'rejected';
    }
    const ended = await tx
      .update(transfers)
      .set(reviewed)
      .where(and(same, eq(transfers.state, 'closed')))
      .returning({ key: transfers.key });
    return ended.length > 0 ? 'dismissed' : 'nothing';
  });
}

/** Emails the customer, who has left the page by then; without an email address only the order shows it. */
async function notifyOfRejection(deps: ReviewDeps, transfer: Transfer, now: number): Promise<void> {
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

/** The proof of a transfer; for the operator only. */
export async function proofOf(db: Database, { objectId }: Transfer): Promise<Proof | undefined> {
  if (objectId === null) return undefined;
  const [row] = await db
    .select({ mediaType: uploads.mediaType, content: uploads.content })
    .from(uploads)
    .where(eq(uploads.objectId, objectId))
    .limit(1);
  return row;
}
