import { sql, type SQL } from 'drizzle-orm';
import { nextRenewalStatus, renewalStatusSchema, type RenewalEvent, type RenewalStatus } from '#contract/renewal.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * The status after an event, as an SQL expression. No code writes the status of a subscription by name: the contract's
 * table decides which status an event leads to.
 */
export function statusAfter(event: RenewalEvent): SQL {
  const cases = renewalStatusSchema.options.flatMap((from) => {
    const to = nextRenewalStatus(from, event);
    return to === undefined ? [] : [sql`when ${literal(from)} then ${literal(to)}`];
  });
  return sql`case ${subscriptions.status} ${sql.join(cases, sql` `)} else ${subscriptions.status} end`;
}

/** The status of a locked row after an event; throws if the table has no such transition. */
export function moved({ id, status }: Pick<SubscriptionRow, 'id' | 'status'>, event: RenewalEvent): RenewalStatus {
  const to = nextRenewalStatus(status, event);
  if (to === undefined) throw new Error(`the renewal ${id} is ${status} and cannot be ${event}`);
  return to;
}

/** Statuses come from the contract. Literals give the statement a constant text, so it is prepared once. */
function literal(status: RenewalStatus): SQL {
  return sql.raw(`'${status}'`);
}

/** The columns of a new period. A period that has an order has used up its number. */
export function nextPeriod({ period, orderId }: Pick<SubscriptionRow, 'period' | 'orderId'>) {
  return {
    period: orderId === null ? period : period + 1,
    orderId: null,
    refusals: 0,
    noticed: 0,
    cardTold: false,
    asks: null,
  };
}
