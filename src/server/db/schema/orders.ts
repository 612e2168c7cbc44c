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
import { instant, sqlLiterals, minorUnits, type Texts } from './columns.ts';
import { brands } from './brands.ts';
import { users } from './users.ts';

/** A customer's withdrawal from a purchase. Instants are epoch milliseconds. */
export interface Withdrawal {
  readonly requestedAt: number;
  /** the refund, in minor units */
  readonly amount: number;
  /** since when staff have to refund it by hand, because no provider can, and why */
  readonly byHandSince?: number;
  readonly why?: string;
  readonly refusedAt?: number;
  /** the reason for a refusal that the customer sees */
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
    /** the type of the step after paying, by its method */
    flow: text().$type<NextStep['type']>().notNull().default('none'),
    currency: text().notNull(),
    original: minorUnits('original').notNull(),
    discount: minorUnits('discount').notNull(),
    total: minorUnits('total').notNull(),
    /** refunded minor units, partial or full; rows of earlier versions are 0 even after a full refund */
    refunded: minorUnits('refunded').notNull().default(0),
    installments: integer().notNull(),
    discountCode: text('discount_code'),
    /** grants access to the public result page of this payment (contract, queryToken) */
    resultToken: text('result_token').notNull(),
    failureCode: integer('failure_code'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at'),
    paidAt: instant('paid_at'),
    /** its own period, with its own `planId`, `days` and `devices` ([Note: Periods]) */
    serviceStart: instant('service_start'),
    serviceEnd: instant('service_end'),
    /** changes of the period by refunds and lost disputes, oldest first */
    serviceChanges: jsonb('service_changes').$type<PeriodChange[]>().notNull().default([]),
    /** a proof waits for review, or all coins arrived but are not confirmed yet */
    underReview: boolean('under_review').notNull().default(false),
    /** why the last proof of its transfer was rejected */
    rejection: jsonb().$type<ProofRejection>(),
    /** the seller at the time of payment, for the receipt; null for older orders */
    seller: jsonb().$type<Seller>(),
    /** `Buyer`, encrypted (billing/check-payer.ts) */
    buyerSealed: text('buyer_sealed'),
    /** of earlier versions, unencrypted until the job `protect-buyers` encrypts it */
    buyer: jsonb().$type<Buyer>(),
    cardLast4: text('card_last4'),
    /** of a renewal: its subscription and period */
    subscriptionId: text('subscription_id'),
    period: integer(),
    /** the customer has withdrawn from the purchase */
    withdrawal: jsonb().$type<Withdrawal>(),
  },
  (table) => [
    index('orders_listed').on(table.brand, table.createdAt, table.orderId),
    index('orders_card')
      .on(table.brand, table.cardLast4)
      .where(sql`${table.cardLast4} is not null`),
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
 * Conditions of partial indexes contain literals, and only a query that should use such an index may repeat the same
 * literals. With outdated statistics a partial index looks empty to the planner, which then scans all of it instead of
 * using the primary key. So transitions of orders and attempts phrase their state conditions differently.
 */
export function isOpenOrder({ status }: { status: SQLWrapper }): SQL {
  return sql`${status} in (${sqlLiterals(openStatuses)})`;
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
    /** plans that it applies to; empty means all */
    planIds: jsonb('plan_ids').$type<string[]>().notNull().default([]),
    maxUses: integer('max_uses').notNull(),
    used: integer().notNull().default(0),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    firstPurchaseOnly: boolean('first_purchase_only').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.brand, table.code] })],
);

/** Coupons that a customer received or added. How an order used one is stored in the order. */
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
