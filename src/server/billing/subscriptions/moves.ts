import { sql, type SQL } from 'drizzle-orm';
import { nextRenewalStatus, renewalStatusSchema, type RenewalEvent, type RenewalStatus } from '#contract/renewal.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';

export type SubscriptionRow = typeof subscriptions.$inferSelect;

/**
 * [Note: Renewal moves] As with orders, no code writes the status of a subscription by name: a write says what happened,
 * and the contract's table says what it leads to.
 */
export function statusAfter(event: RenewalEvent): SQL {
  const cases = renewalStatusSchema.options.flatMap((from) => {
    const to = nextRenewalStatus(from, event);
    return to === undefined ? [] : [sql`when ${literal(from)} then ${literal(to)}`];
  });
  return sql`case ${subscriptions.status} ${sql.join(cases, sql` `)} else ${subscriptions.status} end`;
}

/** The status after an event of a row that is held; throws where the table has no such move. */
export function moved({ id, status }: Pick<SubscriptionRow, 'id' | 'status'>, event: RenewalEvent): RenewalStatus {
  const to = nextRenewalStatus(status, event);
  if (to === undefined) throw new Error(`the renewal ${id} is ${status} and cannot be ${event}`);
  return to;
}

/** Statuses come from the contract: as literals they keep the statement's text one and the same. */
function literal(status: RenewalStatus): SQL {
  return sql.raw(`'${status}'`);
}

/** What a new period of a subscription begins with; one that was tried to charge has spent its number. */
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
