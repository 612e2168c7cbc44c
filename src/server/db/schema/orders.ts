import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Seller } from '#contract/brand.ts';
import type { NextStep, ProofRejection } from '#contract/next-step.ts';
import { openStatuses, type OrderStatus } from '#contract/order-status.ts';
import type { PeriodChange } from '#contract/periods.ts';
import type { Buyer } from '#contract/receipts.ts';
import { instant, listed, minorUnits, type Texts } from './columns.ts';
import { brands } from './brands.ts';
import { users } from './users.ts';

/** A request of a customer for their money back. Instants are epoch milliseconds. */
export interface Withdrawal {
  readonly requestedAt: number;
  /** what goes back, in minor units */
  readonly amount: number;
  /** since when people of the brand have to send it, because no provider does, and why */
  readonly byHandSince?: number;
  readonly why?: string;
  readonly refusedAt?: number;
  /** what the customer is told of a refusal */
  readonly words?: string;
}

export const orders = pgTable(
  'orders',
  {
    orderId: text('order_id').primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    status: text().$type<OrderStatus>().notNull(),
    planId: text('plan_id').notNull(),
    /** names of the plan when it was ordered, by language */
    planNames: jsonb('plan_names').$type<Texts<string>>().notNull(),
    days: integer().notNull(),
    devices: integer().notNull(),
    methodCode: text('method_code').notNull(),
    methodNames: jsonb('method_names').$type<Texts<string>>().notNull(),
    /** what comes after paying by its method */
    flow: text().$type<NextStep['type']>().notNull().default('none'),
    currency: text().notNull(),
    original: minorUnits('original').notNull(),
    discount: minorUnits('discount').notNull(),
    total: minorUnits('total').notNull(),
    /** minor units of it that were given back, in parts or whole; rows of before say 0 also where all of it was */
    refunded: minorUnits('refunded').notNull().default(0),
    installments: integer().notNull(),
    discountCode: text('discount_code'),
    /** opens the public face of this payment (contract, queryToken) */
    resultToken: text('result_token').notNull(),
    failureCode: integer('failure_code'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    paidAt: instant('paid_at'),
    /** its own period, with its own `planId`, `days` and `devices` ([Note: Periods]) */
    serviceStart: instant('service_start'),
    serviceEnd: instant('service_end'),
    /** what refunds and lost disputes did to it, oldest first */
    serviceChanges: jsonb('service_changes').$type<PeriodChange[]>().notNull().default([]),
    /** its payer has sent a proof that nobody has judged yet, or all of the coins, which are not confirmed yet */
    underReview: boolean('under_review').notNull().default(false),
    /** the last proof of its transfer was none */
    rejection: jsonb().$type<ProofRejection>(),
    /** what its receipt says besides, as it was when it was paid ([Note: Receipts]); null for older orders */
    seller: jsonb().$type<Seller>(),
    /** `Buyer`, encrypted (billing/buyer.ts) */
    buyerSealed: text('buyer_sealed'),
    /** of versions before: in clear, until the job `protect-buyers` has encrypted it */
    buyer: jsonb().$type<Buyer>(),
    cardLast4: text('card_last4'),
    /** of a renewal: which one, and its period ([Note: Renewal] in the contract) */
    subscriptionId: text('subscription_id'),
    period: integer(),
    /** its customer has asked for the money back ([Note: Withdrawal]) */
    withdrawal: jsonb().$type<Withdrawal>(),
  },
  (table) => [
    index('orders_history').on(table.brand, table.uid, table.createdAt, table.orderId),
    index('orders_open').on(table.brand, table.uid, table.createdAt).where(isOpenOrder(table)),
    index('orders_paid')
      .on(table.brand, table.uid, table.paidAt)
      .where(sql`${table.paidAt} is not null`),
    index('orders_service')
      .on(table.brand, table.uid, table.serviceEnd)
      .where(sql`${table.serviceEnd} is not null`),
    index('orders_abandoned')
      .on(table.expiresAt)
      .where(sql`${table.expiresAt} is not null`),
    index('orders_withdrawn')
      .on(table.brand, table.createdAt)
      .where(sql`${table.withdrawal} is not null`),
    index('orders_unprotected')
      .on(table.orderId)
      .where(sql`${table.buyer} is not null`),
    uniqueIndex('orders_result_token').on(table.resultToken),
    uniqueIndex('orders_renewal')
      .on(table.subscriptionId, table.period)
      .where(sql`${table.subscriptionId} is not null`),
  ],
);

/**
 * [Note: Partial indexes] Their conditions hold words, and a query that wants such an index says the same words. Any other
 * query must not: to a planner whose statistics are of yesterday a partial index looks empty, and a walk through all of it
 * cheaper than the way by the key. So moves of an order and of an attempt say what they ask of a state in other words.
 */
export function isOpenOrder({ status }: { status: SQLWrapper }): SQL {
  return sql`${status} in (${listed(openStatuses)})`;
}

export const coupons = pgTable(
  'coupons',
  {
    brand: text()
      .notNull()
      .references(() => brands.code),
    code: text().notNull(),
    kind: text().$type<'percent' | 'amount'>().notNull(),
    /** percent, or minor units of `currency` */
    value: integer().notNull(),
    currency: text(),
    /** plans it is for; empty means all */
    planIds: jsonb('plan_ids').$type<string[]>().notNull().default([]),
    maxUses: integer('max_uses').notNull(),
    used: integer().notNull().default(0),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    firstPurchaseOnly: boolean('first_purchase_only').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.brand, table.code] })],
);

/** Coupons that a customer was given, or has added. What an order has done with one stands in the order. */
export const customerCoupons = pgTable(
  'customer_coupons',
  {
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    code: text().notNull(),
    givenAt: instant('given_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.brand, table.uid, table.code] }),
    foreignKey({ columns: [table.brand, table.code], foreignColumns: [coupons.brand, coupons.code] }),
  ],
);
