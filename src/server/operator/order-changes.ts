import { and, eq } from 'drizzle-orm';
import { isOpen } from '#contract/order-status.ts';
import { cancelUnpaidOrder } from '#server/billing/cancel-unpaid-order.ts';
import { findNewestPurchase } from '#server/billing/orders.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type OrderRow, type Purchase } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import { cancelledMail } from '#server/messages/order-end-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { localize } from '#server/site/documents.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { requireOption, OperatorError, type ShopCommand, type ShopContext } from './command.ts';
import { findNamedOrder } from './orders.ts';

/** Closes the payment at its provider first, so that a cancelled order cannot be paid. */
export const cancelOrderCommand: ShopCommand = {
  name: 'orders cancel',
  summary: 'cancels an unpaid order and notifies its customer by email',
  words: ['order'],
  options: auditOptions,
  inShop: async (given, shop) => {
    const { deps, done } = shop;
    const order = await findNamedOrder(deps, requireOption(given, 'order'));
    const { orderId, status } = order;
    if (status === 'PAYMENT_CANCELLED') return done(`Order ${orderId} was cancelled before.`, { orderId, status });
    if (!isOpen(status)) throw new OperatorError(`Order ${orderId} is not waiting for a payment: ${status}.`);
    if (order.subscriptionId !== null) {
      throw new OperatorError(
        `Order ${orderId} belongs to a renewal. Its customer can cancel the renewal, or use 'customers block'.`,
      );
    }
    const outcome = await cancelWithRetry(shop, order, async (tx, purchase) => {
      await writeAudit(tx, given, { command: 'orders cancel', brand: order.brand, subject: orderId }, deps);
      await queueCancelledMail({ ...deps, db: tx }, purchase);
    });
    if (outcome === 'paid')
      throw new OperatorError(`Order ${orderId} was paid just now. Refund it with 'orders refund'.`);
    if (outcome !== 'cancelled') {
      throw new OperatorError(
        `The provider of order ${orderId} could not confirm that it will not be paid. Nothing changed; try again later.`,
      );
    }
    done(`Order ${orderId} is cancelled, and its coupon can be used again.`, { orderId, status: 'PAYMENT_CANCELLED' });
  },
};

async function purchaseOf({ deps }: ShopContext, { brand, orderId }: OrderRow): Promise<Purchase> {
  const newest = await findNewestPurchase(deps.db, and(eq(orders.brand, brand), eq(orders.orderId, orderId)));
  const purchase = newest && (await findPurchase(deps.db, newest.attempt.id));
  if (purchase) return purchase;
  throw new OperatorError(`Order ${orderId} has no payment.`);
}

type OnCancelled = (tx: Database, purchase: Purchase) => Promise<void>;

/** Retries once, because a notice of the provider may change the payment while it is being closed. */
async function cancelWithRetry(
  shop: ShopContext,
  order: OrderRow,
  onCancelled: OnCancelled,
): ReturnType<typeof cancelUnpaidOrder> {
  const once = async () => {
    const purchase = await purchaseOf(shop, order);
    return cancelUnpaidOrder(shop.deps, purchase, (tx) => onCancelled(tx, purchase));
  };
  const outcome = await once();
  return outcome === 'changed' ? once() : outcome;
}

async function queueCancelledMail(deps: ShopContext['deps'], { order, customer }: Purchase): Promise<void> {
  const brand = deps.catalog.byCode(order.brand);
  const { email, language } = customer;
  if (!brand || email === null) return;
  const { orderId, total: amount, currency } = order;
  const planName = localize(order.planNames, language, brand) ?? order.planId;
  const facts = { orderId, planName, total: { amount, currency } };
  await queueMail(deps.db, { brand, to: email, ...cancelledMail(brand, language, facts) }, deps);
}
