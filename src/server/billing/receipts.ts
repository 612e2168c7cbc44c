import { and, desc, isNotNull } from 'drizzle-orm';
import { maskAccount } from '#contract/mask.ts';
import type * as contract from '#contract/receipts.ts';
import { supportedLanguage } from '#server/auth/create-user.ts';
import { orders } from '#server/db/schema/orders.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { receiptMail } from '#server/messages/order-mails.ts';
import type { Handler } from '#server/runtime/request/bind.ts';
import { countTry } from '#server/runtime/limits/throttle.ts';
import { refundedAmountsOf } from './books.ts';
import { buyerOf, maskedBuyer } from './buyer.ts';
import { countOrderMail } from './order-remind.ts';
import { receiptFileOf } from './receipt-file.ts';
import { orderView } from './order-view.ts';
import { ownedBy, ownOrder } from './own-orders.ts';

export const handleReceipts: Handler<typeof contract.receipts> = async ({ body: { page, size } }, context) => {
  const { db } = context.deps;
  const mine = and(ownedBy(context), isNotNull(orders.paidAt));
  const rows = await db
    .select()
    .from(orders)
    .where(mine)
    .orderBy(desc(orders.paidAt), desc(orders.orderId))
    .limit(size)
    .offset((page - 1) * size);
  return { items: rows.map((row) => orderView(row, context)), total: await db.$count(orders, mine), page };
};

/** Sends the receipt again through the outbox, in the language of this request. */
export const handleMailReceipt: Handler<typeof contract.mailReceipt> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const { email } = user;
  const order = await ownOrder(context, body.orderId);
  const { paidAt, serviceStart, serviceEnd } = order;
  if (email === null || paidAt === null) return context.refuse('operationUnsupported');
  await countOrderMail(context.refuse, deps.db, `receipt ${order.orderId}`, deps.clock());
  const language = supportedLanguage(brand, context.language);
  const { orderId, planName, methodName, total, installments, cardLast4 } = orderView(order, { brand, language });
  const facts = { orderId, planName, methodName, total, installments, cardLast4, seller: order.seller };
  const valid = { serviceStart: serviceStart ?? paidAt, serviceEnd: serviceEnd ?? paidAt };
  const mail = receiptMail(brand, language, { ...facts, ...valid, paidAt });
  await queueMail(deps.db, { brand, to: email, asked: true, ...mail, receipt: { orderId, language } }, deps);
  return { sentTo: maskAccount(email) };
};

export const handleReceiptParties: Handler<typeof contract.receiptParties> = async ({ params }, context) => {
  const order = await ownOrder(context, params.id);
  const { paidAt, seller } = order;
  if (paidAt === null) return context.refuse('operationUnsupported');
  const refunds = await refundedAmountsOf(context.deps.db, order);
  const buyer = context.user.sessionKind === 'box' ? null : maskedBuyer(buyerOf(context.deps.env, order));
  return { seller, buyer, refunds };
};

/** Drawing a receipt costs as much as rendering a page. */
const filesAnHour = { tries: 60, windowMs: 3_600_000 };

export const handleReceiptFile: Handler<typeof contract.receiptFile> = async ({ params }, context) => {
  const { deps, brand, user } = context;
  const order = await ownOrder(context, params.id);
  const { paidAt } = order;
  if (paidAt === null || user.sessionKind === 'box') return context.refuse('operationUnsupported');
  const { allowed, waitSeconds } = await countTry(
    deps.db,
    `receipt files ${brand.code} ${user.uid}`,
    filesAnHour,
    deps.clock(),
  );
  if (!allowed) return context.refuse('tooFrequent', { waitSeconds });
  const language = supportedLanguage(brand, context.language);
  // masked: only the emailed file has the full document number, because an attacker with the session cannot read the
  // mailbox
  const who = { brand, account: user.account, buyer: maskedBuyer(buyerOf(deps.env, order)) };
  const { name, pdf } = await receiptFileOf(deps.db, who, { ...order, paidAt }, language);
  return { name, content: pdf.toString('base64') };
};
