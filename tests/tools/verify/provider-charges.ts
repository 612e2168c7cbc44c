import { and, eq, inArray } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '#server/db/connect.ts';
import { partsOf as bankParts } from '#sandbox/bank/api.ts';
import { partsOf as paypalParts } from '#sandbox/paypal/orders.ts';
import { transfers } from '#server/db/schema/transfers.ts';
import { sandboxCharges, sandboxPaypalOrders } from '#sandbox/schema.ts';

/** A charge in the books of a provider. */
export interface ProviderCharge {
  /** the key of the shop: the id of the attempt */
  readonly key: string;
  /** minor units */
  readonly amount: number;
  readonly currency: string;
  readonly givenBack: boolean;
  /** the sum of partial refunds in minor units; null where the brand sends refunds manually */
  readonly parts: number | null;
}

/** The charges of the sandbox bank, the sandbox PayPal and the brands' own accounts, for some keys or all. */
export async function findProviderCharges(db: Database, keys?: readonly string[]): Promise<ProviderCharge[]> {
  const hasKey = (column: PgColumn) => (keys ? inArray(column, [...keys]) : undefined);
  const { status, key } = sandboxCharges;
  const paid = inArray(status, ['paid', 'refunded']);
  const completed = eq(sandboxPaypalOrders.status, 'COMPLETED');
  const accepted = inArray(transfers.state, ['accepted', 'refunded']);
  const bank = await db
    .select()
    .from(sandboxCharges)
    .where(and(paid, hasKey(key)));
  const paypal = await db
    .select()
    .from(sandboxPaypalOrders)
    .where(and(completed, hasKey(sandboxPaypalOrders.customId)));
  const own = await db
    .select()
    .from(transfers)
    .where(and(accepted, hasKey(transfers.key)));
  return [
    ...bank.map(({ status, ...charge }) => ({
      ...moneyOf(charge),
      key: charge.key,
      parts: bankParts(charge).sum,
      givenBack: status === 'refunded',
    })),
    ...paypal.map((order) => ({
      ...moneyOf(order),
      key: order.customId,
      parts: paypalParts(order),
      givenBack: order.refunded,
    })),
    ...own.map(({ state, ...one }) => ({
      ...moneyOf(one),
      key: one.key,
      parts: null,
      givenBack: state === 'refunded',
    })),
  ];
}

function moneyOf({ amount, currency }: { amount: number; currency: string }) {
  return { amount, currency };
}
