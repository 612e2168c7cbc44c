import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import * as v from 'valibot';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { auditLog } from '#server/db/schema/audit.ts';
import { invoices } from '#server/db/schema/invoices.ts';
import { ledger, refunds } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { findTransfers, isUnseen, type Reviewable } from '#server/billing/review-transfer.ts';
import { referenceIn } from '#server/payments/transfer/gateway.ts';
import { findCustomersByName } from '#server/auth/sign-on/sso.ts';
import {
  failureText,
  requireOption,
  numberOption,
  OperatorError,
  type ShopCommand,
  instantOf,
  type OutputFields,
} from './command.ts';
import { findOrders } from './find-customers.ts';
import { brandCodeOption } from './open-shop.ts';
import { documentKinds, mayBeMore } from './wording.ts';

/** The order with this id, of any brand. */
export async function findNamedOrder({ db }: Pick<Deps, 'db'>, text: string): Promise<OrderRow> {
  const orderId = text.trim().toUpperCase();
  const [order] = await db.select().from(orders).where(eq(orders.orderId, orderId));
  if (order) return order;
  throw new OperatorError(`There is no order ${text}. 'orders find' searches by the beginning of an ID.`);
}

export function orderFacts({
  orderId,
  brand,
  status,
  planId,
  methodCode,
  total,
  currency,
  createdAt,
  paidAt,
}: OrderRow) {
  const [created, paid] = [instantOf(createdAt), instantOf(paidAt)];
  const money = { amount: total, currency };
  return { orderId, brand, status, planId, methodCode, total: money, created, paid } satisfies OutputFields;
}

/** Searches by the prefix of the order id, the key at the provider, the reference of a transfer, or the customer. */
export const findOrdersCommand: ShopCommand = {
  name: 'orders find',
  summary: 'finds orders by the beginning of their id, by the key at the provider, by a transfer, or by customer',
  words: ['order|key|reference|account'],
  options: {
    brand: { value: 'code', summary: 'of this brand only' },
    limit: { value: 'number', summary: 'lines at most (20)' },
  },
  inShop: async (given, { deps, row, explain }) => {
    const part = requireOption(given, 'order|key|reference|account');
    if (part.length < 3) throw new OperatorError('Give 3 characters or more.', { badUsage: true });
    const most = numberOption(given, 'limit', { usual: 20, most: 500 });
    const search = { part, brand: brandCodeOption(deps, given['brand']), most };
    const ofCustomers = await ordersOfCustomers(deps, search);
    const found =
      ofCustomers.length > 0 ? ofCustomers : await findOrders(deps.db, search, await ordersOfKey(deps, part));
    for (const order of found) row(orderFacts(order));
    if (found.length === 0) explain(`No order, payment or customer with an order matches ${part}.`);
    if (found.length === most) explain(mayBeMore(most));
  },
};

async function ordersOfKey({ db }: Pick<Deps, 'db'>, key: string): Promise<string[]> {
  // first, because many a key has parts that look like a reference
  if (v.is(v.pipe(v.string(), v.uuid()), key)) {
    const isKey = eq(attempts.id, key.toLowerCase());
    const rows = await db.select({ orderId: attempts.orderId }).from(attempts).where(isKey);
    return rows.map(({ orderId }) => orderId);
  }
  const reference = referenceIn(key);
  return reference === undefined ? [] : (await findTransfers(db, reference)).map(({ orderId }) => orderId);
}

/** The newest orders of customers with this name, at each brand. */
async function ordersOfCustomers(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  { part, brand, most }: { part: string; brand: string | undefined; most: number },
): Promise<OrderRow[]> {
  const found: OrderRow[] = [];
  for (const shop of catalog.all()) {
    const { code } = shop;
    if (brand !== undefined && code !== brand) continue;
    const called = (await findCustomersByName(db, shop, part)).map(({ uid }) => uid);
    const uids = called.length === 0 && v.is(v.pipe(v.string(), v.uuid()), part) ? [part] : called;
    if (uids.length === 0) continue;
    const own = and(eq(orders.brand, code), inArray(orders.uid, uids));
    const rows = await db
      .select()
      .from(orders)
      .where(own)
      .orderBy(desc(orders.createdAt), desc(orders.orderId))
      .limit(most);
    found.push(...rows);
  }
  return found.slice(0, most);
}

/** Shows an order with its payment attempts, the books and the operators' changes. */
export const showOrderCommand: ShopCommand = {
  name: 'orders show',
  summary: 'shows an order: its payments, ledger, refunds, transfers, invoices, days and operator changes',
  words: ['order'],
  options: {},
  inShop: async (given, { deps, show }) => {
    const { db } = deps;
    const order = await findNamedOrder(deps, requireOption(given, 'order'));
    const { orderId, brand, uid } = order;
    const [user] = await db.select({ account: users.account }).from(users).where(eq(users.uid, uid));
    const tries = await db
      .select()
      .from(attempts)
      .where(eq(attempts.orderId, orderId))
      .orderBy(asc(attempts.createdAt));
    const booked = await db
      .select()
      .from(ledger)
      .where(eq(ledger.orderId, orderId))
      .orderBy(asc(ledger.at), asc(ledger.kind));
    const changes = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.brand, brand), eq(auditLog.subject, orderId)))
      .orderBy(asc(auditLog.at));
    show({
      ...orderFacts(order),
      uid,
      account: user?.account ?? null,
      discountCode: order.discountCode,
      ...withdrawalFacts(order),
      failureCode: order.failureCode,
      failure: failureText(order.failureCode),
      expires: instantOf(order.expiresAt),
      ...periodFacts(order),
      renewal: order.subscriptionId,
      payments: tries.map(paymentFacts),
      books: booked.map(bookFacts),
      refunds: await partsOf(deps, order),
      transfers: await transfersOf(deps, order),
      invoices: await invoicesOf(deps, order),
      changes: changes.map(({ at, who, command, why }) => ({ at: instantOf(at), who, command, why })),
    });
  },
};

const bookFacts = ({ at, kind, amount, currency, attemptId }: typeof ledger.$inferSelect) => ({
  at: instantOf(at),
  kind,
  amount: { amount, currency },
  key: attemptId,
});

/** The customer's withdrawal and its state. */
const withdrawalFacts = ({ withdrawal }: OrderRow) => ({
  withdrawalRequested: instantOf(withdrawal?.requestedAt ?? null),
  withdrawalByHand: withdrawal?.why ?? null,
  withdrawalRefused: withdrawal?.words ?? null,
});

/** With two decimals, because a refund ends a day that has begun. */
const daysOf = (ms: number): number => Math.round(ms / 864_000) / 100;

/** The order's own days, and changes of them by refunds and lost disputes ([Note: Periods]). */
const periodFacts = ({ serviceStart, serviceEnd, serviceChanges }: OrderRow) => ({
  serviceStart: instantOf(serviceStart),
  serviceEnd: instantOf(serviceEnd),
  serviceChanges: serviceChanges.map(({ at, ms, ...change }) => ({ at: instantOf(at), ...change, days: daysOf(ms) })),
});

/** Partial refunds: `by` is who makes it, `ends` whether the days end with it, `failure` why it was not made. */
async function partsOf({ db }: Pick<Deps, 'db'>, { orderId }: OrderRow): Promise<OutputFields[]> {
  const { askedAt, number } = refunds;
  const rows = await db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(askedAt), asc(number));
  return rows.map(({ number, state, amount, currency, ...part }) => ({
    at: instantOf(part.askedAt),
    number,
    state,
    amount: { amount, currency },
    by: part.providerRef === null ? 'shop' : 'provider',
    ends: part.endsAccess,
    ended: instantOf(part.endedAt),
    failure: part.why,
    key: part.attemptId,
  }));
}

/** Of an order by bank transfer, also those that it was not paid by. */
async function transfersOf({ db }: Pick<Deps, 'db'>, { orderId }: OrderRow): Promise<OutputFields[]> {
  const rows = await findTransfers(db, orderId);
  return rows.map(({ transfer, since }) => ({
    reference: transfer.reference,
    state: transfer.state,
    since: instantOf(since),
    proof: stateOfProof(transfer),
    reason: transfer.proofRejected ? (transfer.rejection?.reason ?? null) : null,
  }));
}

function stateOfProof(transfer: Reviewable['transfer']): string | null {
  if (isUnseen(transfer)) return 'waits for review';
  if (transfer.proofRejected) return 'rejected';
  return transfer.objectId === null ? null : 'accepted';
}

async function invoicesOf({ db }: Pick<Deps, 'db'>, { brand, orderId }: OrderRow): Promise<OutputFields[]> {
  const mine = and(eq(invoices.brand, brand), eq(invoices.orderId, orderId));
  const rows = await db.select().from(invoices).where(mine).orderBy(asc(invoices.year), asc(invoices.sequence));
  return rows.map(({ number, kind, gross, currency }) => ({
    number,
    kind: documentKinds[kind],
    gross: { amount: gross, currency },
  }));
}

function paymentFacts({
  id,
  state,
  gateway,
  methodCode,
  amount,
  currency,
  providerRef,
  failureCode,
  createdAt,
}: typeof attempts.$inferSelect) {
  const at = instantOf(createdAt);
  return {
    at,
    state,
    gateway,
    methodCode,
    amount: { amount, currency },
    key: id,
    providerRef,
    failureCode,
    failure: failureText(failureCode),
  } satisfies OutputFields;
}
