import { and, eq } from 'drizzle-orm';
import type { Language } from '#contract/fields.ts';
import type { Buyer } from '#contract/receipts.ts';
import { goneType } from '#server/auth/find-user.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import type { AttachedReceipt } from '#server/db/schema/outbox.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { drawReceipt } from '#server/messages/receipt-thread.ts';
import { refundedAmountsOf } from './books.ts';
import { buyerOf } from './buyer.ts';
import { receiptPaper } from './receipt-rows.ts';

export interface ReceiptFile {
  readonly name: string;
  readonly pdf: Buffer;
}

/** The receipt of a paid order as a PDF. */
export async function receiptFileOf(
  db: Deps['db'],
  who: { readonly brand: Brand; readonly account: string; readonly buyer: Buyer | null },
  order: OrderRow & { paidAt: number },
  language: Language,
): Promise<ReceiptFile> {
  const paper = receiptPaper(who, { order, refunds: await refundedAmountsOf(db, order) }, language);
  return {
    name: `${paper.title} ${order.orderId}.pdf`,
    pdf: await drawReceipt({ paper, language, paidAt: order.paidAt }),
  };
}

/**
 * The attachment of a receipt email. The outbox stores only the order, and the PDF is drawn when the email is sent:
 * rows stay small, and a customer whose account was deleted meanwhile is not named.
 */
export async function attachedReceipt(
  { db, catalog, env }: Pick<Deps, 'db' | 'catalog' | 'env'>,
  brandCode: string,
  { orderId, language }: AttachedReceipt,
): Promise<ReceiptFile | undefined> {
  const brand = catalog.byCode(brandCode);
  const [found] = await db
    .select({ order: orders, account: users.account, userType: users.userType })
    .from(orders)
    .innerJoin(users, eq(users.uid, orders.uid))
    .where(and(eq(orders.brand, brandCode), eq(orders.orderId, orderId)))
    .limit(1);
  if (!brand || !found || found.userType === goneType || found.order.paidAt === null) return undefined;
  const order = { ...found.order, paidAt: found.order.paidAt };
  const buyer = buyerOf(env, order);
  return receiptFileOf(db, { brand, account: found.account, buyer }, order, language);
}
