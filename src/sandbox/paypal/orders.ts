import { and, asc, eq, gte, inArray, lte } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Bank } from '../bank/bank.ts';
import { sandboxNotices, sandboxPaypalAccounts, sandboxPaypalOrders } from '../schema.ts';
import type { Order } from './events.ts';
import { approvedEvent, capturedEvent, payerEmail, refundedEvent, savedAccountEvent } from './events.ts';

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
  const accountId = order.saves ? captureId.slice(0, 8).toLowerCase() : null;
  if (order.status === 'COMPLETED') return order.captureId === captureId ? 'repeated' : 'alreadyCaptured';
  if (order.captureId === captureId) return 'declined';
  if (order.status !== 'APPROVED') return 'notApproved';
  const captured = await bank.db.transaction(async (tx) => {
    const [changed] = await tx
      .update(sandboxPaypalOrders)
      .set({ captureId, ...(!order.declines && { status: 'COMPLETED', accountId }) })
      .where(
        and(
          eq(sandboxPaypalOrders.id, order.id),
          eq(sandboxPaypalOrders.status, 'APPROVED'),
          eq(sandboxPaypalOrders.declines, order.declines),
        ),
      )
      .returning();
    if (changed?.status === 'COMPLETED') await tx.insert(sandboxNotices).values(capturedEvent(bank, changed));
    if (changed?.accountId) await saveAccount(bank, tx, changed, changed.accountId);
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

async function saveAccount(bank: Bank, db: Bank['db'], order: Order, id: string): Promise<void> {
  await db.insert(sandboxPaypalAccounts).values({ id, email: payerEmail }).onConflictDoNothing();
  await db.insert(sandboxNotices).values(savedAccountEvent(bank, order, { id, email: payerEmail }));
}

export async function findAccount({ db }: Bank, id: string) {
  const [account] = await db.select().from(sandboxPaypalAccounts).where(eq(sandboxPaypalAccounts.id, id)).limit(1);
  return account;
}

/** An order that a saved account pays without its payer: created and captured at once, once for its request ID. */
export async function chargeAccount(
  bank: Bank,
  order: Order,
): Promise<{ order: Order; isNew: boolean } | 'unknownAccount' | 'declined'> {
  const same = eq(sandboxPaypalOrders.requestId, order.requestId);
  const [known] = await bank.db.select().from(sandboxPaypalOrders).where(same).limit(1);
  if (known) return { order: known, isNew: false };
  const account = await findAccount(bank, order.accountId ?? '');
  if (!account) return 'unknownAccount';
  if (account.declines) return 'declined';
  return bank.db.transaction(async (tx) => {
    const paid = { ...order, status: 'COMPLETED' as const, captureId: captureIdOf(order.requestId) };
    const made = await createOrder({ ...bank, db: tx }, paid);
    if (made.isNew) await tx.insert(sandboxNotices).values(capturedEvent(bank, made.order));
    return made;
  });
}

/** The paid orders that were created in a period, oldest first. */
export function listPaid({ db }: Bank, from: number, until: number): Promise<Order[]> {
  const within = and(gte(sandboxPaypalOrders.createdAt, from), lte(sandboxPaypalOrders.createdAt, until));
  const isPaid = eq(sandboxPaypalOrders.status, 'COMPLETED');
  return db.select().from(sandboxPaypalOrders).where(and(within, isPaid)).orderBy(asc(sandboxPaypalOrders.createdAt));
}

export async function findCapture({ db }: Bank, captureId: string): Promise<Order | undefined> {
  const isCapture = and(eq(sandboxPaypalOrders.captureId, captureId), eq(sandboxPaypalOrders.status, 'COMPLETED'));
  const [order] = await db.select().from(sandboxPaypalOrders).where(isCapture).limit(1);
  return order;
}

/** The fields that the sandbox PayPal reads; others are ignored, as PayPal does with most. */
const filled = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
export const url = v.pipe(v.string(), v.url(), v.maxLength(2000));

const unit = v.object({
  custom_id: filled(127),
  invoice_id: filled(127),
  amount: v.object({ currency_code: v.pipe(v.string(), v.length(3)), value: filled(32) }),
});

export const usagePattern = v.picklist([
  'IMMEDIATE',
  'DEFERRED',
  'RECURRING_PREPAID',
  'RECURRING_POSTPAID',
  'THRESHOLD_PREPAID',
  'THRESHOLD_POSTPAID',
]);

export const createSchema = v.object({
  intent: v.literal('CAPTURE'),
  purchase_units: v.tuple([unit]),
  payment_source: v.object({
    paypal: v.union([
      v.strictObject({
        vault_id: v.pipe(v.string(), v.regex(/^[\w-]{1,255}$/)),
        // PayPal rejects charges without the payer that do not say so
        stored_credential: v.object({
          payment_initiator: v.literal('MERCHANT'),
          usage: v.literal('SUBSEQUENT'),
          usage_pattern: usagePattern,
        }),
      }),
      v.object({
        attributes: v.optional(
          v.object({
            vault: v.object({
              store_in_vault: v.literal('ON_SUCCESS'),
              usage_type: v.picklist(['MERCHANT', 'PLATFORM']),
              usage_pattern: v.optional(usagePattern),
              description: v.optional(filled(128)),
            }),
          }),
        ),
        experience_context: v.object({ return_url: url, cancel_url: url }),
      }),
    ]),
  }),
});

/** "List transactions": at most 31 days, and 500 to a page. */
const count = (max: number) => v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1), v.maxValue(max));
export const listSchema = v.pipe(
  v.object({
    start_date: v.pipe(v.string(), v.isoTimestamp()),
    end_date: v.pipe(v.string(), v.isoTimestamp()),
    page_size: count(500),
    page: count(1000),
  }),
  v.check(({ start_date: from, end_date: until }) => Date.parse(until) - Date.parse(from) <= 31 * 86_400_000),
);

/** "Refund captured payment". */
export const refundBody = v.object({
  amount: v.optional(v.object({ currency_code: v.pipe(v.string(), v.length(3)), value: filled(32) })),
  custom_id: v.optional(filled(127)),
});
