import { and, eq, inArray } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import type { Bank } from '../bank/bank.ts';
import { sandboxNotices, sandboxPaypalOrders } from '../schema.ts';
import type { Order } from './events.ts';
import { approvedEvent, capturedEvent, refundedEvent } from './events.ts';

/** Characters of PayPal's IDs. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
export const newId = ({ random }: Pick<Bank, 'random'>) => random.text(alphabet, 17);

const hourMs = 60 * 60_000;

/** An order can be approved for three hours and captured for three more; then it is deleted. */
function isGone({ status, createdAt }: Order, now: number): boolean {
  return status !== 'COMPLETED' && createdAt + (status === 'APPROVED' ? 6 : 3) * hourMs <= now;
}

export async function findOrder({ db, clock }: Bank, id: string): Promise<Order | undefined> {
  const [order] = await db.select().from(sandboxPaypalOrders).where(eq(sandboxPaypalOrders.id, id)).limit(1);
  return order && !isGone(order, clock()) ? order : undefined;
}

/** Once per request ID; a repeat returns the first order, whatever it contains. */
export async function createOrder({ db }: Bank, order: Order): Promise<{ order: Order; isNew: boolean }> {
  const [written] = await db.insert(sandboxPaypalOrders).values(order).onConflictDoNothing().returning();
  if (written) return { order: written, isNew: true };
  const same = eq(sandboxPaypalOrders.requestId, order.requestId);
  const [known] = await db.select().from(sandboxPaypalOrders).where(same).limit(1);
  return { order: known ?? order, isNew: false };
}

/** An approved order can be approved again, with another instrument. */
const isWaiting = inArray(sandboxPaypalOrders.status, ['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']);

/** Records the payer's approval, with an instrument that pays or declines. */
export async function approve(bank: Bank, { id }: Order, { declines }: { declines: boolean }): Promise<void> {
  await bank.db.transaction(async (tx) => {
    const [approved] = await tx
      .update(sandboxPaypalOrders)
      .set({ status: 'APPROVED', declines })
      .where(and(eq(sandboxPaypalOrders.id, id), isWaiting))
      .returning();
    if (approved) await tx.insert(sandboxNotices).values(approvedEvent(bank, approved));
  });
}

type CaptureResult = 'captured' | 'repeated' | 'declined' | 'alreadyCaptured' | 'notApproved';

/**
 * Captures an order, once. The capture ID is derived from the request ID, so a repeated request gets the same result, a
 * decline included. After a decline the order is still approved.
 */
export async function capture(bank: Bank, order: Order, requestId: string): Promise<CaptureResult> {
  const captureId = captureIdOf(requestId);
  if (order.status === 'COMPLETED') return order.captureId === captureId ? 'repeated' : 'alreadyCaptured';
  if (order.captureId === captureId) return 'declined';
  if (order.status !== 'APPROVED') return 'notApproved';
  const captured = await bank.db.transaction(async (tx) => {
    const [changed] = await tx
      .update(sandboxPaypalOrders)
      .set({ captureId, ...(!order.declines && { status: 'COMPLETED' }) })
      .where(
        and(
          eq(sandboxPaypalOrders.id, order.id),
          eq(sandboxPaypalOrders.status, 'APPROVED'),
          eq(sandboxPaypalOrders.declines, order.declines),
        ),
      )
      .returning();
    if (changed?.status === 'COMPLETED') await tx.insert(sandboxNotices).values(capturedEvent(bank, changed));
    return changed;
  });
  if (captured) return order.declines ? 'declined' : 'captured';
  const now = await findOrder(bank, order.id);
  return now ? capture(bank, now, requestId) : 'notApproved';
}

function captureIdOf(requestId: string): string {
  return createHash('sha256').update(requestId).digest('hex').slice(0, 17).toUpperCase();
}

type RefundResult = 'refunded' | 'alreadyRefunded' | 'unknown' | 'tooMuch';

/** A partial refund, once for each request ID. */
export interface Part {
  readonly requestId: string;
  readonly amount: number;
}

export const partsOf = ({ parts }: Pick<Order, 'parts'>): number =>
  Object.values(parts).reduce((sum, amount) => sum + amount, 0);

/** Refunds the remaining amount, or a part. */
export async function refund(bank: Bank, captureId: string, part?: Part): Promise<RefundResult> {
  const ofCapture = and(eq(sandboxPaypalOrders.captureId, captureId), eq(sandboxPaypalOrders.status, 'COMPLETED'));
  return bank.db.transaction(async (tx) => {
    const [order] = await tx.select().from(sandboxPaypalOrders).where(ofCapture).for('update');
    if (!order) return 'unknown';
    if (part && order.parts[part.requestId] === part.amount) return 'refunded';
    const left = order.amount - partsOf(order);
    if (order.refunded || left === 0) return 'alreadyRefunded';
    const amount = part?.amount ?? left;
    if (amount > left) return 'tooMuch';
    const parts = part ? { ...order.parts, [part.requestId]: amount } : order.parts;
    const updated = { ...order, parts, refunded: amount === left };
    await tx
      .update(sandboxPaypalOrders)
      .set({ parts, refunded: updated.refunded })
      .where(eq(sandboxPaypalOrders.id, order.id));
    await tx.insert(sandboxNotices).values(refundedEvent(bank, updated, { amount, customId: part?.requestId }));
    return 'refunded';
  });
}
