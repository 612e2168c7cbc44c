import type { Order } from '#contract/order.ts';
import { receipts } from '#contract/receipts.ts';
import { q } from '#web/platform/api/query.ts';

const pageSize = 20;

/** A page of the list, counted from 1. The first is also fetched ahead, where an error must not be shown. */
export const receiptsQuery = (page: number) => q(receipts, { body: { page, size: pageSize } }, { quiet: true });

interface YearOfReceipts {
  readonly year: number;
  readonly orders: readonly Order[];
}

/** Groups receipts by the year of payment in the customer's time zone, newest first. */
export function byYear(items: readonly Order[]): YearOfReceipts[] {
  const years = new Map<number, Order[]>();
  for (const order of withoutRepeats(items)) {
    const year = new Date(order.paidAt ?? order.date).getFullYear();
    years.set(year, [...(years.get(year) ?? []), order]);
  }
  return [...years].map(([year, orders]) => ({ year, orders })).sort((one, other) => other.year - one.year);
}

/** A newly paid order shifts the others, so one can be on two pages. */
function withoutRepeats(items: readonly Order[]): Iterable<Order> {
  return new Map(items.map((order) => [order.orderId, order])).values();
}
