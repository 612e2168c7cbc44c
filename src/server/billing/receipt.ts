import { expiryAfter } from '../../contract/account.ts';
import type { Brand } from '../brand/catalog.ts';
import { receiptMail } from '../email/receipt-mail.ts';
import type { QueuedMail } from '../email/outbox.ts';
import { inLanguage } from '../site/words.ts';
import type { Purchase } from './purchase-rows.ts';

/** The receipt of a purchase that is paid at `now` (epoch milliseconds); none for an account without an address. */
export function receiptOf(brand: Brand, { order, attempt, customer }: Purchase, now: number): QueuedMail | undefined {
  const { language, email } = customer;
  if (email === null) return undefined;
  const receipt = receiptMail(brand, language, {
    orderId: order.orderId,
    planName: inLanguage(order.planNames, language, brand) ?? order.planId,
    methodName: inLanguage(order.methodNames, language, brand) ?? order.methodCode,
    total: { amount: attempt.amount, currency: attempt.currency },
    installments: attempt.installments,
    paidAt: now,
    serviceEnd: expiryAfter(customer.expiredTime, order.days, now),
  });
  return { brand, to: email, ...receipt };
}
