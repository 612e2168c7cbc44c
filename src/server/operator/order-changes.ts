import { and, eq } from 'drizzle-orm';
import { isOpen } from '#contract/order-status.ts';
import { cancelUnpaidOrder } from '#server/billing/cancel-unpaid-order.ts';
import { findNewestPurchase } from '#server/billing/orders.ts';
import { queueInstructions, queueReceipt, type Addressee } from '#server/billing/receipts.ts';
import { findTransfers, isUnseen } from '#server/billing/review-transfer.ts';
import type { Database } from '#server/db/connect.ts';
import { findPurchase, type OrderRow, type Purchase } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import { bounceOf } from '#server/messages/bounces.ts';
import { cancelledMail, refundMail } from '#server/messages/order-end-mails.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { localize } from '#server/site/documents.ts';
import { auditOptions, writeAudit } from './audit.ts';
import { requireOption, OperatorError, type OptionValues, type ShopCommand, type ShopContext } from './command.ts';
import { brandOf } from './open-shop.ts';
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
    if ((await findTransfers(deps.db, orderId)).some(({ transfer }) => isUnseen(transfer)))
      throw new OperatorError(`Order ${orderId} has a proof of payment. Review it first: transfers review ${orderId}.`);
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
    const coupon = order.discountCode === null ? '' : `, and its coupon ${order.discountCode} can be used again`;
    done(`Order ${orderId} is cancelled${coupon}.`, { orderId, status: 'PAYMENT_CANCELLED' });
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
  const mail = cancelledMail(brand, language, endedOrder({ brand, language }, order));
  await queueMail(deps.db, { brand, to: email, ...mail }, deps);
}

function endedOrder({ brand, language }: Pick<Addressee, 'brand' | 'language'>, order: OrderRow) {
  const { orderId, total: amount, currency } = order;
  const planName = localize(order.planNames, language, brand) ?? order.planId;
  return { orderId, planName, total: { amount, currency } };
}

const resendOptions = { words: ['order'], options: auditOptions } as const;

export const resendReceiptCommand: ShopCommand = {
  name: 'receipts resend',
  summary: 'emails the receipt of a paid order again, with its PDF',
  ...resendOptions,
  inShop: (given, shop) =>
    resend(given, shop, 'receipts resend', async (deps, addressee, { order }) => {
      if (order.paidAt === null) throw new OperatorError(`Order ${order.orderId} is not paid.`);
      await queueReceipt(deps, addressee, { ...order, paidAt: order.paidAt });
      return 'The receipt';
    }),
};

export const resendMessageCommand: ShopCommand = {
  name: 'messages resend',
  summary: 'emails again what the status of an order is about: payment instructions, receipt, refund or cancellation',
  ...resendOptions,
  inShop: (given, shop) =>
    resend(given, shop, 'messages resend', async (deps, addressee, purchase) => {
      const { order } = purchase;
      const { brand, email, language } = addressee;
      const instructions = order.rejection === null ? 'the payment instructions' : 'the rejected proof';
      if (await queueInstructions(deps, addressee, purchase)) return `The email with ${instructions}`;
      const ended = { PAYMENT_CANCELLED: cancelledMail, REFUND_SUCCEEDED: refundMail };
      const { status } = order;
      if (status === 'PAYMENT_CANCELLED' || status === 'REFUND_SUCCEEDED') {
        const mail = ended[status](brand, language, endedOrder(addressee, order));
        await queueMail(deps.db, { brand, to: email, ...mail }, deps);
        return status === 'PAYMENT_CANCELLED' ? 'The cancellation' : 'The refund';
      }
      if (status !== 'PAYMENT_SUCCEEDED' || order.paidAt === null)
        throw new OperatorError(`Order ${order.orderId} has nothing to say to its customer: ${status}.`);
      await queueReceipt(deps, addressee, { ...order, paidAt: order.paidAt });
      return 'The receipt';
    }),
};

/** Only to the address of the account: an operator's typing mistake must not send an order to a stranger. */
async function resend(
  given: OptionValues,
  shop: ShopContext,
  command: string,
  queue: (deps: ShopContext['deps'], addressee: Addressee, purchase: Purchase) => Promise<string>,
): Promise<void> {
  const { deps, done } = shop;
  const order = await findNamedOrder(deps, requireOption(given, 'order'));
  const purchase = await purchaseOf(shop, order);
  const { email, language } = purchase.customer;
  const brand = brandOf(deps, order.brand);
  if (email === null) throw new OperatorError(`The customer of order ${order.orderId} has no email address.`);
  if ((await bounceOf(deps, email)) === 'permanent')
    throw new OperatorError(`Mail to ${email} bounces. If that has ended: bounces clear --address ${email}.`);
  const what = await deps.db.transaction(async (tx) => {
    const queued = await queue({ ...deps, db: tx }, { brand, email, language }, purchase);
    await writeAudit(tx, given, { command, brand: order.brand, subject: order.orderId }, deps);
    return queued;
  });
  done(`${what} of order ${order.orderId} is queued for ${email}.`, { orderId: order.orderId, email });
}
