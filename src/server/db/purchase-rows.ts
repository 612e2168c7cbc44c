import { and, eq, getTableColumns, gte, or } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { attempts, type AttemptTerms } from './schema/attempts.ts';
import { orders } from './schema/orders.ts';
import { users, type HandoverCheckout } from './schema/users.ts';

export type OrderRow = typeof orders.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;
export type Customer = Pick<
  typeof users.$inferSelect,
  'uid' | 'email' | 'language' | 'expiredTime' | 'graceUntil' | 'leavesAt'
>;

/**
 * The orders of a checkout that was handed to a phone: those for its plan since then, and the unpaid one that it
 * started with.
 */
export function ordersOf({ planId, orderId, since }: HandoverCheckout) {
  const later = gte(orders.createdAt, since);
  return and(eq(orders.planId, planId), orderId === null ? later : or(later, eq(orders.orderId, orderId)));
}

/** The part of an order's terms that an attempt stores in `terms`. */
export function attemptTerms({ methodNames, flow, original, discount, discountCode }: AttemptTerms): AttemptTerms {
  return { methodNames, flow, original, discount, discountCode };
}

/**
 * The order on the terms of one of its attempts. A later attempt writes its own terms to the order, but an earlier one
 * can still be paid: then its price, currency, method and coupon apply. Old attempts without stored terms have only
 * what they charged; `method` is the brand's current method of that code.
 */
export function withTermsOf(order: OrderRow, attempt: AttemptRow, method: MethodTexts | undefined): OrderRow {
  const { terms, methodCode, currency, amount: total, installments } = attempt;
  const paid = { methodCode, currency, total, installments };
  if (terms !== null) return { ...order, ...terms, ...paid };
  const named =
    methodCode === order.methodCode
      ? {}
      : { methodNames: method?.names ?? { en: methodCode }, flow: method?.flow ?? order.flow };
  const isSamePrice = currency === order.currency && total === order.total;
  const priced = isSamePrice ? {} : { original: total, discount: 0, discountCode: null };
  return { ...order, ...paid, ...named, ...priced };
}

interface MethodTexts extends Pick<OrderRow, 'flow'> {
  readonly names: OrderRow['methodNames'];
}

/** A payment attempt with every row that its outcome affects. */
export interface Purchase {
  readonly attempt: AttemptRow;
  readonly order: OrderRow;
  readonly customer: Customer;
}

/**
 * The purchase of an attempt. Only for notices of providers and for jobs: a customer's request must filter by owner.
 */
export async function findPurchase(db: Database, attemptId: string): Promise<Purchase | undefined> {
  const { uid, email, language, expiredTime, graceUntil, leavesAt } = getTableColumns(users);
  const [row] = await db
    .select({ attempt: attempts, order: orders, customer: { uid, email, language, expiredTime, graceUntil, leavesAt } })
    .from(attempts)
    .innerJoin(orders, eq(orders.orderId, attempts.orderId))
    .innerJoin(users, eq(users.uid, orders.uid))
    .where(eq(attempts.id, attemptId))
    .limit(1);
  return row;
}
