import { and, desc, isNotNull, eq } from 'drizzle-orm';
import { maskAccount } from '#contract/mask.ts';
import type * as contract from '#contract/receipts.ts';
import { supportedLanguage } from '#server/auth/signup.ts';
import { orders } from '#server/db/schema/orders.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { receiptMail, reminderMail } from '#server/messages/order-mails.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { countTry, clearTries } from '#server/runtime/limits/throttle.ts';
import { refundedAmountsOf } from './ledger-entries.ts';
import { buyerOf, maskBuyer } from './check-payer.ts';
import { orderView, ownedBy, ownOrder, ownPurchase, type OwnPurchase } from './orders.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { orderRemind } from '#contract/orders.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { Database } from '#server/db/connect.ts';
import { nextStepOf } from './payment-state.ts';
import type { Language } from '#contract/fields.ts';
import type { Buyer } from '#contract/receipts.ts';
import { deletedUserType } from '#server/auth/users.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import type { AttachedReceipt } from '#server/db/schema/outbox.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { drawReceipt } from '#server/messages/receipt-thread.ts';
import { currentInvoicesOf, invoiceView } from './invoices/issue-invoices.ts';
import { buildReceipt } from './receipt-rows.ts';

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
  const { paidAt } = order;
  if (email === null) return context.refuse('operationUnsupported', { field: 'email' });
  if (paidAt === null) return context.refuse('operationUnsupported');
  await countOrderMail(context.refuse, deps.db, `receipt ${order.orderId}`, deps.clock());
  const language = supportedLanguage(brand, context.language);
  await queueReceipt(deps, { brand, email, language }, { ...order, paidAt });
  return { sentTo: maskAccount(email) };
};

/** Who receives an email about an order. */
export interface Addressee {
  readonly brand: Brand;
  readonly email: string;
  readonly language: Language;
}

type MailDeps = Pick<Deps, 'db' | 'clock' | 'random'>;

/** Queues the receipt of a paid order again. */
export async function queueReceipt(
  deps: MailDeps,
  { brand, email, language }: Addressee,
  order: OrderRow & { readonly paidAt: number },
): Promise<void> {
  const { paidAt, serviceStart, serviceEnd } = order;
  const { orderId, planName, methodName, total, installments, cardLast4 } = orderView(order, { brand, language });
  const facts = { orderId, planName, methodName, total, installments, cardLast4, seller: order.seller };
  const valid = { serviceStart: serviceStart ?? paidAt, serviceEnd: serviceEnd ?? paidAt };
  const mail = receiptMail(brand, language, { ...facts, ...valid, paidAt });
  await queueMail(deps.db, { brand, to: email, asked: true, ...mail, receipt: { orderId, language } }, deps);
}

export const handleReceiptParties: Handler<typeof contract.receiptParties> = async ({ params }, context) => {
  const order = await ownOrder(context, params.id);
  const { paidAt, seller } = order;
  if (paidAt === null) return context.refuse('operationUnsupported');
  const refunds = await refundedAmountsOf(context.deps.db, order);
  const buyer = context.user.sessionKind === 'box' ? null : maskBuyer(buyerOf(context.deps.env, order));
  const invoices = await currentInvoicesOf(context.deps, order);
  return { seller, buyer, refunds, invoices: invoices.map(invoiceView) };
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
  const who = { brand, account: user.account, buyer: maskBuyer(buyerOf(deps.env, order)) };
  const { name, pdf } = await receiptFileOf(deps, who, { ...order, paidAt }, language);
  return { name, content: pdf.toString('base64') };
};

const oneAMinute = { tries: 1, windowMs: 60_000 };
const aDay = { tries: 3, windowMs: 86_400_000 };

/** Sends the customer the payment instructions of an unpaid order again, through the outbox. */
export const handleOrderRemind: Handler<typeof orderRemind> = async ({ body }, context) => {
  const { deps, brand, user } = context;
  const purchase = await ownPurchase(context, body.orderId);
  const { email } = user;
  if (email === null) return context.refuse('operationUnsupported', { field: 'email' });
  if (!awaitsPayer(purchase, nextStepOf(purchase, deps.clock()))) return context.refuse('operationUnsupported');
  await countOrderMail(context.refuse, deps.db, `reminder ${body.orderId}`, deps.clock());
  const language = supportedLanguage(brand, context.language);
  await queueInstructions(deps, { brand, email, language }, purchase);
  return { sentTo: maskAccount(email) };
};

/** Queues what the customer has to do to pay an order. Returns false, without an email, if there is nothing to do. */
export async function queueInstructions(
  deps: MailDeps,
  { brand, email, language }: Addressee,
  purchase: OwnPurchase,
): Promise<boolean> {
  const next = nextStepOf(purchase, deps.clock());
  if (!awaitsPayer(purchase, next)) return false;
  const { orderId, planName, methodName, total } = orderView(purchase.order, { brand, language });
  const mail = reminderMail(brand, language, { orderId, planName, methodName, total, next });
  await queueMail(deps.db, { brand, to: email, ...mail }, deps);
  return true;
}

/**
 * Whether the payer has something to do. Not while the provider's answer is unknown, and not after the payer has done
 * it: an email that requests money then would cause a second payment.
 */
function awaitsPayer({ order, attempt }: OwnPurchase, next: NextStep): boolean {
  if (order.status !== 'PAYMENT_PENDING' || attempt.state === 'INTENT') return false;
  if (next.type === 'upload') return next.proof !== 'received';
  if (next.type === 'crypto') return next.chosen === null || Number(next.chosen.missing) > 0;
  return true;
}

/** At most one email a minute and three a day of each kind for each order; `tooFrequent` carries the longer wait. */
async function countOrderMail(refuse: Refuse<'tooFrequent'>, db: Database, what: string, now: number): Promise<void> {
  const pauseKey = `pause ${what}`;
  const pause = await countTry(db, pauseKey, oneAMinute, now);
  if (!pause.allowed) refuse('tooFrequent', { waitSeconds: pause.waitSeconds });
  const day = await countTry(db, `day ${what}`, aDay, now);
  if (day.allowed) return;
  // nothing was sent, so the next refusal must carry the day's wait and not this minute's
  await clearTries(db, pauseKey);
  refuse('tooFrequent', { waitSeconds: day.waitSeconds });
}

interface ReceiptFile {
  readonly name: string;
  readonly pdf: Buffer;
}

/** The receipt of a paid order as a PDF. */
async function receiptFileOf(
  deps: Pick<Deps, 'db' | 'env' | 'log'>,
  who: { readonly brand: Brand; readonly account: string; readonly buyer: Buyer | null },
  order: OrderRow & { paidAt: number },
  language: Language,
): Promise<ReceiptFile> {
  const invoices = await currentInvoicesOf(deps, order);
  const content = buildReceipt(who, { order, refunds: await refundedAmountsOf(deps.db, order), invoices }, language);
  return {
    name: `${content.title} ${order.orderId}.pdf`,
    pdf: await drawReceipt({ content, language, paidAt: order.paidAt }),
  };
}

/**
 * The attachment of a receipt email. The outbox stores only the order, and the PDF is drawn when the email is sent:
 * rows stay small, and a customer whose account was deleted meanwhile is not named.
 */
export async function attachedReceipt(
  deps: Pick<Deps, 'db' | 'catalog' | 'env' | 'log'>,
  brandCode: string,
  { orderId, language }: AttachedReceipt,
): Promise<ReceiptFile | undefined> {
  const { db, catalog, env } = deps;
  const brand = catalog.byCode(brandCode);
  const [found] = await db
    .select({ order: orders, account: users.account, userType: users.userType })
    .from(orders)
    .innerJoin(users, eq(users.uid, orders.uid))
    .where(and(eq(orders.brand, brandCode), eq(orders.orderId, orderId)))
    .limit(1);
  if (!brand || !found || found.userType === deletedUserType || found.order.paidAt === null) return undefined;
  const order = { ...found.order, paidAt: found.order.paidAt };
  const buyer = buyerOf(env, order);
  return receiptFileOf(deps, { brand, account: found.account, buyer }, order, language);
}
