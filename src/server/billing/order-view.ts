import type { Order } from '../../contract/order.ts';
import { isOpen } from '../../contract/order-status.ts';
import type { Language } from '../../contract/fields.ts';
import type { RequestContext } from '../request-context.ts';
import { inLanguage } from '../site/words.ts';
import type { OrderRow } from './purchase-rows.ts';

/** An order as its owner sees it, named as it was when it was made. */
export function orderView(row: OrderRow, { language, brand }: Pick<RequestContext, 'language' | 'brand'>): Order {
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
    original: money(row.original),
    discount: money(row.discount),
    total: money(row.total),
    discountCode: row.discountCode,
    serviceStart: row.serviceStart,
    serviceEnd: row.serviceEnd,
    expiresAt: row.expiresAt,
    paidAt: row.paidAt,
    failureCode: row.failureCode,
    underReview: isOpen(row.status) && row.underReview,
    receipt: row.paidAt !== null,
  };
}
