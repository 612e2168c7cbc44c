import { and, eq, max } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { ledger, partKind, refunds } from '#server/db/schema/ledger.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import type { GatewayNotice, NoticePart } from '#server/payments/gateway.ts';
import { followService, type RenewalDeps } from './subscriptions/lock-renewal.ts';
import { withdrawRenewal } from './subscriptions/turn-off.ts';
import { capturesOf, markPaymentRefunded, updateRefundedAmount, sumsOf } from './books.ts';
import { refundMoves } from './order-moves.ts';
import { lockOrdersOf, mayRenew, move, stageOf, notifyOfRefund } from './record-reversal.ts';
import { revokeUnusedService } from './unused-service.ts';

export type RefundRow = typeof refunds.$inferSelect;

/** What is known of a part: told by a notice, or by the gateway's answer to the shop. */
export interface PartialRefundReport {
  readonly part: NoticePart;
  readonly stage: GatewayNotice['stage'];
  /** of one that is rejected: why, for the operator */
  readonly why?: string | undefined;
}

/**
 * Writes what is known of a part of a payment that goes back ([Note: Partial refunds]); safe to repeat, in any order. Each
 * part is booked once, when it has been given, also after it was taken for rejected: money that has left is never left out.
 * No more is booked than the payment brought. One that was given at the provider's own desk gets a row here, too.
 */
export async function recordPart(deps: RenewalDeps, purchase: Purchase, told: PartialRefundReport): Promise<void> {
  const { order, attempt } = purchase;
  const now = deps.clock();
  const stage = stageOf(told.stage);
  await deps.db.transaction(async (tx) => {
    await lockOrdersOf(tx, order);
    const captures = await capturesOf(tx, order);
    if (!captures.includes(attempt.id)) return;
    const row = await rowOf(tx, deps, purchase, told.part);
    const isOver = row.state === 'SUCCEEDED' || (row.state === 'REJECTED' && stage !== 'succeeded');
    if (stage === 'opened' || isOver) return;
    if (stage !== 'succeeded') {
      const why = told.why ?? `the provider has ${stage} it`;
      return end(tx, row, { state: 'REJECTED', why, endedAt: now });
    }
    const { unrefunded } = await sumsOf(tx, attempt);
    const amount = Math.min(told.part.amount, unrefunded);
    await end(tx, row, { state: 'SUCCEEDED', amount, endedAt: now });
    // what was refunded whole has given it back already
    if (amount <= 0) return;
    const entry = { id: deps.random.id(), kind: partKind(row.number), amount: -amount, at: now, giveBackAt: null };
    const { brand, orderId, attemptId, currency } = row;
    await tx.insert(ledger).values({ ...entry, brand, orderId, attemptId, currency });
    if (captures[0] !== attempt.id) return markPaymentRefunded(tx, attempt, now);
    await follow(tx, deps, purchase, { ...row, amount, isLast: amount === unrefunded });
  });
}

/** What a part does besides: nothing to the days, unless it was asked to; the last one does what a whole refund does. */
async function follow(
  tx: Database,
  deps: RenewalDeps,
  purchase: Purchase,
  { amount, endsAccess, isLast }: Pick<RefundRow, 'amount' | 'endsAccess'> & { readonly isLast: boolean },
): Promise<void> {
  const { order, attempt } = purchase;
  const ended = isLast || endsAccess;
  await updateRefundedAmount(tx, attempt);
  if (isLast) {
    await move(tx, order, refundMoves.succeeded);
    await tx
      .update(ledger)
      .set({ giveBackAt: null })
      .where(and(eq(ledger.attemptId, attempt.id), eq(ledger.kind, 'capture')));
  }
  if (ended) {
    await revokeUnusedService(tx, order, 'refund', deps.clock());
    await followService(tx, order, deps);
  }
  await notifyOfRefund(tx, deps, purchase, isLast && amount === attempt.amount ? undefined : { amount, ended });
  if (ended && mayRenew(purchase)) await withdrawRenewal(tx, deps, order);
}

type Ending = Pick<RefundRow, 'state' | 'endedAt'> & Partial<Pick<RefundRow, 'why' | 'amount'>>;

async function end(tx: Database, { id }: RefundRow, ending: Ending): Promise<void> {
  await tx
    .update(refunds)
    .set({ why: null, ...ending, nextTryAt: null })
    .where(eq(refunds.id, id));
}

/** The row of a part, made where there is none: it was given at the provider's desk, or asked for after a backup. */
async function rowOf(tx: Database, deps: RenewalDeps, { attempt }: Purchase, part: NoticePart): Promise<RefundRow> {
  const mine = eq(refunds.attemptId, attempt.id);
  const which = 'number' in part ? eq(refunds.number, part.number) : eq(refunds.providerRef, part.ref);
  const [known] = await tx.select().from(refunds).where(and(mine, which));
  if (known) return known;
  const row = {
    id: deps.random.id(),
    brand: attempt.brand,
    orderId: attempt.orderId,
    attemptId: attempt.id,
    number: 'number' in part ? part.number : await nextNumber(tx, attempt.id),
    amount: part.amount,
    currency: attempt.currency,
    state: 'ASKED',
    endsAccess: false,
    providerRef: 'ref' in part ? part.ref : null,
    why: null,
    askedAt: deps.clock(),
    endedAt: null,
    nextTryAt: null,
  } satisfies RefundRow;
  await tx.insert(refunds).values(row);
  return row;
}

/** `tx` holds the order locked. */
export async function nextNumber(tx: Database, attemptId: string): Promise<number> {
  const [last] = await tx
    .select({ number: max(refunds.number) })
    .from(refunds)
    .where(eq(refunds.attemptId, attemptId));
  return (last?.number ?? 0) + 1;
}
