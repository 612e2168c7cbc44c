import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import * as v from 'valibot';
import { orderStatusSchema } from '#contract/order-status.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { addDays, dayInZone, startOfDay, timeZoneOf } from '#server/brand/time-zone.ts';
import type { Database } from '#server/db/connect.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import {
  failureText,
  hasOption,
  instantOf,
  numberOption,
  OperatorError,
  type OptionText,
  type OptionValues,
  type ShopCommand,
  type ShopContext,
} from './command.ts';
import { brandCodeOption } from './open-shop.ts';
import { dayGiven } from './report.ts';

export const periodOptions = {
  from: { value: 'date', summary: 'the first day by the time zone of each brand, as 2026-11-01; default: 30 days ago' },
  to: { value: 'date', summary: 'the last day; default: today' },
  brand: { value: 'code', summary: 'of this brand only' },
} as const satisfies Record<string, OptionText>;

const usualDays = 30;

export interface BrandSpan {
  readonly brand: Brand;
  /** epoch milliseconds, `until` exclusive */
  readonly from: number;
  readonly until: number;
}

/** The period of each brand, by its own days; without a first day it has `days` before its last one. */
export function spansGiven(given: OptionValues, { deps }: ShopContext, days = usualDays): BrandSpan[] {
  const only = brandCodeOption(deps, given['brand']);
  return deps.catalog
    .all()
    .filter(({ code }) => only === undefined || code === only)
    .map((brand) => {
      const timeZone = timeZoneOf(brand.config);
      const to = given['to'] === undefined ? dayInZone(deps.clock(), timeZone) : dayGiven(given, 'to');
      const from = given['from'] === undefined ? addDays(to, -days) : dayGiven(given, 'from');
      if (from > to) throw new OperatorError('--to is not before --from.', { badUsage: true });
      return { brand, from: startOfDay(from, timeZone), until: startOfDay(addDays(to, 1), timeZone) };
    });
}

/** Rows per statement of a list. */
export const rowsAtOnce = 500;

/**
 * The parts of a list, so that a long one needs little memory and other queries run in between. `read` returns at most
 * `rowsAtOnce` rows that follow `last`.
 */
export async function* readInParts<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(last);
    yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1);
  }
}

type ListedOrder = OrderRow & { readonly account: string };

async function* ordersWithin(
  { deps: { db } }: ShopContext,
  { brand, from, until }: BrandSpan,
  { status, method }: Wanted,
): AsyncGenerator<ListedOrder> {
  const wanted = and(
    eq(orders.brand, brand.code),
    gte(orders.createdAt, from),
    lt(orders.createdAt, until),
    status === undefined ? undefined : eq(orders.status, status),
    method === undefined ? undefined : eq(orders.methodCode, method),
  );
  const parts = readInParts<OrderRow>((last) =>
    db
      .select()
      .from(orders)
      .where(and(wanted, last && sql`(${orders.createdAt}, ${orders.orderId}) < (${last.createdAt}, ${last.orderId})`))
      .orderBy(desc(orders.createdAt), desc(orders.orderId))
      .limit(rowsAtOnce),
  );
  for await (const rows of parts) {
    const accounts = await accountsOf(db, rows);
    for (const order of rows) yield { ...order, account: accounts.get(order.uid) ?? '' };
  }
}

/** The names of customers by uid. A join would read all customers for a long list. */
export async function accountsOf(db: Database, rows: readonly Pick<OrderRow, 'uid'>[]): Promise<Map<string, string>> {
  const uids = [...new Set(rows.map(({ uid }) => uid))];
  if (uids.length === 0) return new Map();
  const found = await db.select({ uid: users.uid, account: users.account }).from(users).where(inArray(users.uid, uids));
  return new Map(found.map(({ uid, account }) => [uid, account]));
}

interface Wanted {
  readonly status: OrderRow['status'] | undefined;
  readonly method: string | undefined;
}

function statusGiven(given: OptionValues): OrderRow['status'] | undefined {
  const status = v.safeParse(v.optional(orderStatusSchema), given['status']?.trim().toUpperCase());
  if (status.success) return status.output;
  throw new OperatorError(`--status is one of ${orderStatusSchema.options.join(', ')}.`, { badUsage: true });
}

const factsOf = ({ currency, ...order }: ListedOrder) => ({
  orderId: order.orderId,
  brand: order.brand,
  account: order.account,
  status: order.status,
  planId: order.planId,
  methodCode: order.methodCode,
  total: { amount: order.total, currency },
  refunded: { amount: order.refunded, currency },
  coupon: order.discountCode,
  created: instantOf(order.createdAt),
  paid: instantOf(order.paidAt),
  failure: failureText(order.failureCode),
});

/** The orders that were made within some days, the newest first. */
export const listOrdersCommand: ShopCommand = {
  name: 'orders list',
  summary: 'lists the orders that were made within some days, of each brand the newest first',
  options: {
    ...periodOptions,
    status: { value: 'status', summary: 'such as PAYMENT_SUCCEEDED' },
    method: { value: 'code', summary: 'paid by this method, such as pix' },
    limit: { value: 'number', summary: 'lines at most; default: all' },
  },
  inShop: async (given, shop) => {
    const { row, explain } = shop;
    const wanted = { status: statusGiven(given), method: given['method']?.trim() };
    const most = numberOption(given, 'limit', { usual: 1e9, most: 1e9 });
    let shown = 0;
    for (const span of spansGiven(given, shop)) {
      for await (const order of ordersWithin(shop, span, wanted)) {
        if (shown === most) return explain(`There are more than ${most === 1 ? 'this one' : `these ${most}`}.`);
        row(factsOf(order));
        shown += 1;
      }
    }
    if (shown === 0) explain('No orders in this period.');
  },
};

/** Disputes by the day on which the bank took the money. */
export const listDisputesCommand: ShopCommand = {
  name: 'disputes list',
  summary: 'lists the payments that a bank or provider took back, the oldest first: open, lost or won',
  options: { ...periodOptions, open: { summary: 'only those that are open; --from is a year ago by default' } },
  inShop: async (given, shop) => {
    const { row, explain } = shop;
    let shown = 0;
    // banks take months to decide
    for (const span of spansGiven(given, shop, hasOption(given, 'open') ? 365 : usualDays)) {
      for (const dispute of await disputesWithin(shop, span)) {
        if (hasOption(given, 'open') && dispute.state !== 'open') continue;
        row(dispute);
        shown += 1;
      }
    }
    if (shown === 0) explain('No disputes in this period.');
  },
};

/** The status of an order describes the payment that paid it; a dispute of a duplicate payment is `unknown`. */
const disputeState: Partial<Record<OrderRow['status'], string>> = {
  CHARGEBACK_PENDING: 'open',
  CHARGEBACK_SUCCEEDED: 'lost',
  CHARGEBACK_REJECTED: 'won',
  CHARGEBACK_CANCELLED: 'won',
};

async function disputesWithin({ deps: { db } }: ShopContext, { brand, from, until }: BrandSpan) {
  const returned = sql<boolean>`exists (select 1 from ${ledger} back
    where back.attempt_id = ${ledger.attemptId} and back.kind = 'return')`;
  // a literal, because only then the partial index is used
  const isDispute = sql`${ledger.kind} = 'chargeback'`;
  const rows = await db
    .select({ dispute: ledger, attempt: attempts, status: orders.status, returned })
    .from(ledger)
    .innerJoin(attempts, eq(attempts.id, ledger.attemptId))
    .innerJoin(orders, eq(orders.orderId, ledger.orderId))
    .where(and(eq(ledger.brand, brand.code), gte(ledger.at, from), lt(ledger.at, until), isDispute))
    .orderBy(asc(ledger.at), asc(ledger.id));
  const accounts = await accountsOf(
    db,
    rows.map(({ attempt }) => attempt),
  );
  return rows.map(({ dispute, attempt, status, returned: isWon }) => {
    const state = isWon ? 'won' : (disputeState[status] ?? 'unknown');
    return {
      orderId: dispute.orderId,
      brand: dispute.brand,
      account: accounts.get(attempt.uid) ?? '',
      state,
      methodCode: attempt.methodCode,
      gateway: attempt.gateway,
      amount: { amount: -dispute.amount, currency: dispute.currency },
      opened: instantOf(dispute.at),
      respondBy: instantOf(state === 'won' || state === 'lost' ? null : dispute.respondBy),
      key: attempt.id,
      providerRef: attempt.providerRef,
    };
  });
}
