import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, desc, eq, gt, type SQL } from 'drizzle-orm';
import type { queryCart } from '#contract/orders.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { CustomerContext, Handler } from '#server/runtime/request/request-context.ts';
import { orderView, ownedBy, isWaitingForPayer } from './orders.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';

/** How long a quote is valid, in milliseconds: ten minutes. */
export const quoteLifetimeMs = 10 * 60_000;

/** What a price was quoted for. A quote is not valid for other facts. */
export interface QuoteFacts {
  readonly brand: string;
  readonly uid: string;
  readonly planId: string;
  readonly methodCode: string;
  readonly currency: string;
  readonly discountCode: string | undefined;
  /** minor units, without interest */
  readonly total: number;
}

/** A signed price that needs no row: `total.validUntil.signature`. `validUntil` is epoch milliseconds. */
export function signQuote(secret: string, facts: QuoteFacts, validUntil: number): string {
  return `${facts.total}.${validUntil}.${signature(secret, facts, validUntil).toString('base64url')}`;
}

/** Whether the quote is for exactly these facts and still valid. Malformed quotes are false. */
export function isQuote(secret: string, quoteId: string, facts: QuoteFacts, now: number): boolean {
  const quote = signedQuote(secret, quoteId, facts);
  return quote !== undefined && quote.total === facts.total && quote.validUntil >= now;
}

/**
 * Whether the server has ever signed a price for this purchase with this coupon. A caller with such a quote is not
 * guessing coupon codes.
 */
export function wasQuoted(secret: string, quoteId: string, facts: Omit<QuoteFacts, 'total'>): boolean {
  return signedQuote(secret, quoteId, facts) !== undefined;
}

/** The price and expiry of a quote that was signed for these facts, whatever its price and age. */
function signedQuote(
  secret: string,
  quoteId: string,
  facts: Omit<QuoteFacts, 'total'>,
): { total: number; validUntil: number } | undefined {
  const [, amount, until, sign] = /^(\d{1,16})\.(\d{13})\.([\w-]{43})$/.exec(quoteId) ?? [];
  if (sign === undefined) return undefined;
  const [total, validUntil] = [Number(amount), Number(until)];
  const expected = signature(secret, { ...facts, total }, validUntil);
  return timingSafeEqual(Buffer.from(sign, 'base64url'), expected) ? { total, validUntil } : undefined;
}

function signature(secret: string, facts: QuoteFacts, validUntil: number): Buffer {
  const { brand, uid, planId, methodCode, currency, discountCode, total } = facts;
  const parts = ['quote', brand, uid, planId, methodCode, currency, discountCode ?? null, total, validUntil];
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest();
}

/** How long an order whose payment failed is offered again, in milliseconds: a week. */
const failedShownMs = 7 * 86_400_000;
const shown = 10;

/** The orders that the customer has started and not paid, on any device. */
export const handleQueryCart: Handler<typeof queryCart> = async (_, context) => {
  const { clock } = context.deps;
  const failedLately = and(eq(orders.status, 'PAYMENT_FAILED'), gt(orders.createdAt, clock() - failedShownMs));
  // two queries, each with its own index, so that a long history of paid orders is not read
  const rows = [...(await newest(context, isWaitingForPayer())), ...(await newest(context, failedLately))].sort(
    newerFirst,
  );
  return { items: rows.slice(0, shown).map((row) => orderView(row, context)) };
};

function newest(context: CustomerContext, which: SQL | undefined): Promise<OrderRow[]> {
  return context.deps.db
    .select()
    .from(orders)
    .where(and(ownedBy(context), which))
    .orderBy(desc(orders.createdAt), desc(orders.orderId))
    .limit(shown);
}

function newerFirst(one: OrderRow, other: OrderRow): number {
  return other.createdAt - one.createdAt || (one.orderId < other.orderId ? 1 : -1);
}
