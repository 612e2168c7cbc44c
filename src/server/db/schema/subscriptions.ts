import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { RenewalStatus } from '#contract/renewal.ts';
import { instant, minorUnits } from './columns.ts';
import { users } from './users.ts';

/**
 * Why a renewal is off: the customer turned it off or withdrew, support turned it off for them, the payment was refunded
 * (`reversal`) or disputed, the shop no longer offers it, or the customer removed the account at its provider.
 */
export type TurnOffCause = 'customer' | 'support' | 'withdrawal' | 'reversal' | 'dispute' | 'shop' | 'provider';

/** One per customer: the plan that renews, at the agreed price. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: text().primaryKey(),
    brand: text().notNull(),
    uid: text()
      .notNull()
      .references(() => users.uid),
    status: text().$type<RenewalStatus>().notNull(),
    planId: text('plan_id').notNull(),
    /** days that each charge pays for */
    days: integer().notNull(),
    methodCode: text('method_code').notNull(),
    /** null when the card was removed; then nothing is charged */
    cardId: text('card_id'),
    /** the agreed price of a period, whatever the plan costs now */
    price: minorUnits('price').notNull(),
    currency: text().notNull(),
    /** counts from 1; with the id it is the key of the order that pays for it, so no period is paid twice */
    period: integer().notNull().default(1),
    /** the order of this period, once a charge was attempted */
    orderId: text('order_id'),
    /** number of refused charges of this period */
    refusals: integer().notNull().default(0),
    /** when the job has to act: a notice, a charge, a retry, the end; null when nothing is due */
    dueAt: instant('due_at'),
    nextChargeAt: instant('next_charge_at'),
    /** the end of paid access when the next charge was scheduled */
    paidUntil: instant('paid_until').notNull(),
    /** the period that its notice was sent for */
    noticed: integer().notNull().default(0),
    /** the price in that notice: no more is charged for its period, whatever the plan costs since */
    toldPrice: minorUnits('told_price'),
    /** a new price that the customer has been told and has not accepted yet */
    asks: minorUnits('asks'),
    /** the customer's own words */
    offReason: text('off_reason'),
    /** who or what turned it off, and when; null unless it is off, or was until its end */
    offBy: text('off_by').$type<TurnOffCause>(),
    offAt: instant('off_at'),
    /** a restored shop does not know what was charged until then: charges due before it are queried and never made */
    heldUntil: instant('held_until'),
    /** the customer already has a mail about the card of this period */
    cardTold: boolean('card_told').notNull().default(false),
    /**
     * a refusal has granted days of grace, and no renewal has been paid since: the next refusal grants none ([Note:
     * Grace])
     */
    graceSpent: boolean('grace_spent').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('subscriptions_owner').on(table.brand, table.uid),
    index('subscriptions_due')
      .on(table.dueAt)
      .where(sql`${table.dueAt} is not null`),
    index('subscriptions_card').on(table.cardId),
    index('subscriptions_held')
      .on(table.heldUntil)
      .where(sql`${table.heldUntil} is not null`),
  ],
);
