import { and, eq, inArray, isNotNull, isNull, like, or, sql } from 'drizzle-orm';
import { recordCalledOff } from '#server/billing/record-outcome.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, liveStates, ownKeyPrefix } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { ofCustomer, type RenewalDeps } from '#server/billing/subscriptions/lock-renewal.ts';
import { endRenewal } from '#server/billing/subscriptions/turn-off.ts';

type Who = Parameters<typeof ofCustomer>[0];

/** The shop's own try to pay the period, as far as it has not ended. */
const ownLiveTry = and(
  inArray(sql`${attempts.state} || ''`, [...liveStates]),
  like(attempts.idempotencyKey, `${ownKeyPrefix}%`),
);
const isUnasked = and(sql`${attempts.state} || '' = 'INTENT'`, isNull(attempts.askedAt));
const isAsked = or(sql`${attempts.state} || '' <> 'INTENT'`, isNotNull(attempts.askedAt));

function tryOfPeriod(db: Database, who: Who, is: typeof isUnasked) {
  return db
    .select({ id: attempts.id })
    .from(subscriptions)
    .innerJoin(attempts, eq(attempts.orderId, subscriptions.orderId))
    .where(and(ofCustomer(who), ownLiveTry, is));
}

/** Whether the bank has been asked to pay a renewal of this customer's, and its answer is not known yet. */
export async function isChargeUnderWay(db: Database, who: Who): Promise<boolean> {
  return (await tryOfPeriod(db, who, isAsked)).length > 0;
}

/**
 * [Note: Calling off] Whoever charges a renewal notes on its try that it goes to ask the gateway, and asks after that
 * (renewal/charge.ts). A try without that note was written down and nobody has been asked: it is ended here, and whoever
 * comes to ask finds it ended. One that is held in this moment is being asked for. The tries, their order and the customer
 * are held already (`lockCharge`, `lockCustomer`).
 */
export async function endRenewalOfDeletedAccount(tx: Database, who: Who, deps: RenewalDeps): Promise<void> {
  const [unasked] = await tryOfPeriod(tx, who, isUnasked).for('update', { of: attempts, skipLocked: true });
  const calledOff = unasked !== undefined && (await recordCalledOff(tx, unasked.id, deps.clock()));
  await endRenewal(tx, who, deps, { calledOff });
}
