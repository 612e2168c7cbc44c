import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { RenewalStatus } from '#contract/renewal.ts';
import { instant, minorUnits } from './columns.ts';
import { users } from './users.ts';

/** One for each customer: the plan that renews, at the price that was agreed to ([Note: Renewal] in the contract). */
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
    /** null when the card is gone; then it is not charged */
    cardId: text('card_id'),
    /** the promise: what a period costs, whatever the price of the plan has become */
    price: minorUnits('price').notNull(),
    currency: text().notNull(),
    /** counts from 1; with the id it is the key of the order that pays for it, so no period is paid twice */
    period: integer().notNull().default(1),
    /** the order of this period, once it was tried to charge it */
    orderId: text('order_id'),
    /** how often this period was refused */
    refusals: integer().notNull().default(0),
    /** when the job has something to do: a notice, a charge, another try, the end; null when there is nothing */
    dueAt: instant('due_at'),
    nextChargeAt: instant('next_charge_at'),
    /** what is paid ends then, as it was when the next charge was set */
    paidUntil: instant('paid_until').notNull(),
    /** the period that its notice was written for */
    noticed: integer().notNull().default(0),
    /** what that notice said: no more is charged for its period, whatever the price has become since */
    toldPrice: minorUnits('told_price'),
    /** a new price was told and is waiting for a yes */
    asks: minorUnits('asks'),
    offReason: text('off_reason'),
    /**
     * a restored shop cannot know what was charged until then: charges of days before it are asked about and never made
     * ([Note: Held renewals])
     */
    heldUntil: instant('held_until'),
    /** the customer has a mail about the card of this period already */
    cardTold: boolean('card_told').notNull().default(false),
    /** a refusal has given days of grace, and no renewal has been paid since: the next refusal gives none ([Note: Grace]) */
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
