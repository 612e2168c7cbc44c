import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { testNow } from './test-app.ts';

type OrderRow = typeof orders.$inferSelect;
type AttemptRow = typeof attempts.$inferSelect;

let created = 0;

/** Inserts an order with its attempt, in states that fit each other; the given columns replace the usual ones. */
export async function anOrder(
  db: Database,
  owner: { brand?: string; uid: string },
  { attempt: changed, ...given }: Partial<OrderRow> & { attempt?: Partial<AttemptRow> } = {},
): Promise<{ order: OrderRow; attempt: AttemptRow }> {
  created += 1;
  const isPaid = given.status === 'PAYMENT_SUCCEEDED';
  const order: OrderRow = {
    orderId: `ORDER${String(created).padStart(8, '0')}`,
    brand: owner.brand ?? 'lumen',
    uid: owner.uid,
    status: 'SUBMITTED',
    planId: '101',
    planNames: { en: 'One month' },
    days: 30,
    devices: 1,
    methodCode: 'card',
    methodNames: { en: 'Credit card' },
    flow: 'none',
    currency: 'BRL',
    original: 1990,
    discount: 0,
    total: 1990,
    refunded: 0,
    installments: 1,
    discountCode: null,
    resultToken: `result-token-${created}-of-a-test`,
    failureCode: null,
    createdAt: testNow,
    expiresAt: null,
    paidAt: isPaid ? testNow : null,
    serviceStart: isPaid ? testNow : null,
    serviceEnd: isPaid ? testNow + 30 * 86_400_000 : null,
    serviceChanges: [],
    underReview: false,
    rejection: null,
    seller: null,
    buyerSealed: null,
    buyer: null,
    cardLast4: null,
    subscriptionId: null,
    period: null,
    withdrawal: null,
    ...given,
  };
  const attempt: AttemptRow = { ...anAttempt(order), state: isPaid ? 'SUCCEEDED' : 'INTENT', ...changed };
  await db.insert(orders).values(order);
  await db.insert(attempts).values(attempt);
  return { order, attempt };
}

function anAttempt(order: OrderRow): AttemptRow {
  return {
    id: crypto.randomUUID(),
    orderId: order.orderId,
    brand: order.brand,
    uid: order.uid,
    idempotencyKey: crypto.randomUUID(),
    requestHash: 'a hash',
    cardId: null,
    cardLast4: null,
    buyerSealed: null,
    buyer: null,
    renewPrice: null,
    gateway: 'sandbox',
    methodCode: order.methodCode,
    amount: order.total,
    currency: order.currency,
    installments: order.installments,
    terms: null,
    state: 'INTENT',
    providerRef: null,
    next: null,
    failureCode: null,
    slipMails: 0,
    askedAt: null,
    createdAt: order.createdAt,
    updatedAt: order.createdAt,
    expiresAt: null,
  };
}
