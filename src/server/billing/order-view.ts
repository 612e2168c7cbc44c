import type { Order } from '#contract/order.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Language } from '#contract/fields.ts';
import type { RequestContext } from '#server/runtime/request/request-context.ts';
import { inLanguage } from '#server/site/words.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { withdrawalOf } from './withdrawals.ts';

type OrderViewer = Pick<RequestContext, 'language' | 'brand'> & Partial<Pick<RequestContext, 'user'>>;

/** An order as its customer sees it, with the names of the time of the purchase. */
export function orderView(row: OrderRow, context: OrderViewer): Order {
  const { language, brand } = context;
  const money = (amount: number) => ({ amount, currency: row.currency });
  const name = (texts: Partial<Record<Language, string>>) => inLanguage(texts, language, brand) ?? '';
  return {
    orderId: row.orderId,
    status: row.status,
    paymentType: row.installments > 1 ? 'INSTALLMENTS' : 'FULL',
    installments: row.installments,
    date: row.createdAt,
    planId: row.planId,
    planName: name(row.planNames),
    methodCode: row.methodCode,
    methodName: name(row.methodNames),
    flow: row.flow,
    original: money(row.original),
    discount: money(row.discount),
    total: money(row.total),
    refunded: row.refunded > 0 ? money(row.refunded) : null,
    discountCode: row.discountCode,
    serviceStart: row.serviceStart,
    serviceEnd: row.serviceEnd,
    expiresAt: row.expiresAt,
    paidAt: row.paidAt,
    failureCode: row.failureCode,
    underReview: isOpen(row.status) && row.underReview,
    rejection: isOpen(row.status) ? row.rejection : null,
    cardLast4: row.paidAt === null ? null : row.cardLast4,
    renewal: row.subscriptionId !== null,
    withdrawal: withdrawalOf(row, context),
    receipt: row.paidAt !== null,
  };
}
