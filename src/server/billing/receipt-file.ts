import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { Language } from '../../contract/fields.ts';
import type { Buyer } from '../../contract/receipts.ts';
import { goneType } from '../auth/find-user.ts';
import { keptPayerOf } from '../cards/payer.ts';
import type { Database } from '../db/connect.ts';
import type { OrderRow, Purchase } from '../db/purchase-rows.ts';
import type { AttachedReceipt } from '../db/schema/outbox.ts';
import { orders } from '../db/schema/orders.ts';
import { users } from '../db/schema/users.ts';
import type { Deps } from '../deps.ts';
import type { Brand } from '../brand/catalog.ts';
import { receiptPdf } from '../messages/receipt-pdf.ts';
import { givenBackOf } from './books.ts';
import { receiptPaper } from './receipt-rows.ts';

export interface ReceiptFile {
  readonly name: string;
  readonly pdf: Buffer;
}

/** The receipt of an order that is paid, as paper. */
export async function receiptFileOf(
  db: Database,
  who: { readonly brand: Brand; readonly account: string },
  order: OrderRow & { paidAt: number },
  language: Language,
): Promise<ReceiptFile> {
  const paper = receiptPaper(who, { order, refunds: await givenBackOf(db, order) }, language);
  return { name: `${paper.title} ${order.orderId}.pdf`, pdf: await receiptPdf(paper, language, order.paidAt) };
}

/**
 * What goes with the mail of a receipt. The outbox names the order and no more, and the paper is drawn when its mail leaves: a
 * row stays small, and who has had the account deleted meanwhile is named on none.
 */
export async function attachedReceipt(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
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
  return receiptFileOf(db, { brand, account: found.account }, order, language);
}

/**
 * The buyer that a receipt names ([Note: Receipts]). Who pays by a kept card, or has a plan renewed, is asked for no name: it
 * is the payer that is kept of them, else who was named with what they have paid for last.
 */
export async function buyerToName(deps: Pick<Deps, 'db' | 'env'>, { attempt }: Purchase): Promise<Buyer | null> {
  const { buyer, cardId, brand, uid } = attempt;
  if (cardId === null || (buyer?.name && buyer.document)) return buyer;
  const known = (await keptBuyer(deps, { brand, uid })) ?? (await lastBuyer(deps, { brand, uid }));
  return known && { name: buyer?.name ?? known.name, document: buyer?.document ?? known.document };
}

type Owner = Pick<OrderRow, 'brand' | 'uid'>;

async function keptBuyer(deps: Pick<Deps, 'db' | 'env'>, owner: Owner): Promise<Buyer | undefined> {
  const payer = await keptPayerOf(deps, owner);
  const name = [payer?.firstName, payer?.lastName].filter(Boolean).join(' ');
  return name === '' ? undefined : { name, document: payer?.document ?? null };
}

async function lastBuyer({ db }: Pick<Deps, 'db'>, { brand, uid }: Owner): Promise<Buyer | null> {
  const [last] = await db
    .select({ buyer: orders.buyer })
    .from(orders)
    .where(and(eq(orders.brand, brand), eq(orders.uid, uid), isNotNull(orders.buyer)))
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return last?.buyer ?? null;
}
