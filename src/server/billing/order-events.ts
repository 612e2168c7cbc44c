import { and, eq, inArray } from 'drizzle-orm';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import type { AttemptRow, OrderRow, Purchase } from '#server/db/purchase-rows.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { alertOperator } from '#server/messages/operator-alerts.ts';
import { eventTime, listensTo, queueEvent } from '#server/messages/webhooks/queue-event.ts';
import type { EntryKind } from './ledger-entries.ts';
import { recordPayment, type PaymentFacts } from './record-payment.ts';

type EventDeps = Pick<Deps, 'clock' | 'random' | 'catalog' | 'log' | 'metrics'>;

/**
 * Records a payment (`recordPayment`), and queues its events in the same transaction. Without listeners one statement is
 * all.
 */
export async function recordAndReportPayment(
  deps: Pick<Deps, 'db' | 'clock' | 'random'>,
  brand: Brand | undefined,
  facts: PaymentFacts,
): Promise<boolean> {
  if (!brand || !listensTo(brand, 'order.paid', 'renewal.charged')) return recordPayment(deps.db, facts);
  return deps.db.transaction(async (tx) => {
    const paid = await recordPayment(tx, facts);
    if (paid) await reportPayment(tx, brand, facts, deps);
    return paid;
  });
}

/** Queues the events of a payment that paid its order; `order` has the terms that were paid. */
async function reportPayment(
  tx: Database,
  brand: Brand,
  { order, attempt }: { readonly order: OrderRow; readonly attempt: AttemptRow },
  deps: Pick<Deps, 'clock' | 'random'>,
): Promise<void> {
  const [served] = await tx
    .select({ start: orders.serviceStart, end: orders.serviceEnd })
    .from(orders)
    .where(eq(orders.orderId, order.orderId));
  const { orderId, uid, planId, days, subscriptionId } = order;
  const { methodCode, gateway, amount, currency } = attempt;
  const isRenewal = subscriptionId !== null;
  const paid = { orderId, uid, planId, amount: { amount, currency } };
  const serviceEnd = eventTime(served?.end);
  const period = { serviceStart: eventTime(served?.start), serviceEnd };
  const data = { ...paid, days, methodCode, gateway, coupon: order.discountCode, isRenewal, ...period };
  await queueEvent(tx, brand, { type: 'order.paid', data }, deps);
  if (isRenewal) await queueEvent(tx, brand, { type: 'renewal.charged', data: { ...paid, serviceEnd } }, deps);
}

/** Queues the event of a refund; `amount` in minor units of the attempt's currency. */
export async function reportRefund(
  tx: Database,
  deps: Pick<Deps, 'clock' | 'random' | 'catalog'>,
  { order: { orderId, uid }, attempt }: Pick<Purchase, 'order' | 'attempt'>,
  { amount, ...facts }: { readonly amount: number; readonly isWhole: boolean; readonly isDuplicate: boolean },
): Promise<void> {
  const data = { orderId, uid, amount: { amount, currency: attempt.currency }, ...facts };
  await queueEvent(tx, deps.catalog.byCode(attempt.brand), { type: 'order.refunded', data }, deps);
}

/** A refund whose money the customer does not have. */
interface RefundByHand {
  readonly reason: 'manual' | 'refused' | 'returned';
  /** in minor units of the attempt's currency */
  readonly amount: number;
  /** the number of a partial refund */
  readonly part?: number;
}

/** Alerts the operator, who alone can send this money. Repeated reports of one refund raise one alert. */
export async function reportRefundByHand(
  tx: Database,
  deps: EventDeps,
  attempt: Pick<AttemptRow, 'id' | 'brand' | 'orderId' | 'gateway' | 'currency'>,
  { reason, amount, part }: RefundByHand,
): Promise<void> {
  const { id, brand: code, orderId, gateway, currency } = attempt;
  if (reason === 'returned') deps.log.error({ orderId, attemptId: id }, 'a refund failed after it had succeeded');
  const brand = deps.catalog.byCode(code);
  if (!brand) return;
  const alert = { kind: 'refund_by_hand', orderId, amount: { amount, currency }, gateway, reason } as const;
  await alertOperator({ ...deps, db: tx }, brand, alert, `${id} ${part ?? 'whole'} ${reason}`);
}

interface ReportedReversal {
  /** the entries that are new in the ledger */
  readonly booked: readonly EntryKind[];
  /** what the shop got of a dispute that has ended now */
  readonly outcome: 'won' | 'lost' | undefined;
  /** whether the payment is the one that paid the order */
  readonly pays: boolean;
  readonly respondBy: number | undefined;
}

/** Queues the events of a refund or dispute, and alerts the operator about a new dispute. */
export async function reportReversal(
  tx: Database,
  deps: EventDeps,
  { order, attempt }: Purchase,
  { booked, outcome, pays, respondBy }: ReportedReversal,
): Promise<void> {
  const { brand: code, orderId, gateway, currency } = attempt;
  if (booked.includes('chargeback')) deps.metrics.disputed(gateway, code);
  const brand = deps.catalog.byCode(code);
  if (!brand) return;
  const about = { orderId, uid: order.uid };
  const moved = await tx
    .select({ kind: ledger.kind, amount: ledger.amount })
    .from(ledger)
    .where(and(eq(ledger.attemptId, attempt.id), inArray(ledger.kind, ['refund', 'chargeback'])));
  for (const { kind, amount: signed } of moved.filter((entry) => booked.includes(entry.kind))) {
    if (kind === 'refund') {
      await reportRefund(tx, deps, { order, attempt }, { amount: -signed, isWhole: true, isDuplicate: !pays });
      continue;
    }
    const amount = { amount: -signed, currency };
    const deadline = respondBy ?? null;
    const data = { ...about, amount, gateway, respondBy: eventTime(deadline) };
    await queueEvent(tx, brand, { type: 'order.disputed', data }, deps);
    if (outcome === undefined)
      await alertOperator({ ...deps, db: tx }, brand, {
        kind: 'dispute_opened',
        orderId,
        amount,
        gateway,
        respondBy: deadline,
      });
  }
  if (outcome) await queueEvent(tx, brand, { type: 'order.dispute_closed', data: { ...about, outcome } }, deps);
}
