import { and, eq, inArray } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '#server/db/connect.ts';
import { partsOf as bankParts } from '#sandbox/bank/api.ts';
import { partsOf as paypalParts } from '#sandbox/paypal/orders.ts';
import { transfers } from '#server/db/schema/transfers.ts';
import { sandboxCharges, sandboxPaypalOrders } from '#sandbox/schema.ts';

/** Money that a provider has taken from a payer, by the provider's own books. */
export interface ProviderCharge {
  /** what the shop asked with: the attempt's id */
  readonly key: string;
  /** minor units */
  readonly amount: number;
  readonly currency: string;
  readonly givenBack: boolean;
  /** what went back in parts, in minor units; null where people send it */
  readonly parts: number | null;
}

/** What providers have taken, for some keys or for all: the sandbox bank, the sandbox PayPal, the brands' own accounts. */
export async function findProviderCharges(db: Database, keys?: readonly string[]): Promise<ProviderCharge[]> {
  const asked = (column: PgColumn) => (keys ? inArray(column, [...keys]) : undefined);
  const { status, key } = sandboxCharges;
  const paid = inArray(status, ['paid', 'refunded']);
  const completed = eq(sandboxPaypalOrders.status, 'COMPLETED');
  const accepted = inArray(transfers.state, ['accepted', 'refunded']);
  const bank = await db
    .select()
    .from(sandboxCharges)
    .where(and(paid, asked(key)));
  const paypal = await db
    .select()
    .from(sandboxPaypalOrders)
    .where(and(completed, asked(sandboxPaypalOrders.customId)));
  const own = await db
    .select()
    .from(transfers)
    .where(and(accepted, asked(transfers.key)));
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
