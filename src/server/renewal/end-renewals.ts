import { and, eq, inArray, isNotNull, isNull, like, or, sql } from 'drizzle-orm';
import { recordCalledOff } from '#server/billing/record-outcome.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, liveStates, ownKeyPrefix } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { ofCustomer, type RenewalDeps } from '#server/billing/subscriptions/lock-renewal.ts';
import { endRenewal } from '#server/billing/subscriptions/turn-off.ts';

type Who = Parameters<typeof ofCustomer>[0];

/** The server's own open attempt to pay for the period. */
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

/** Whether a renewal charge of this customer has been sent to the bank and its outcome is unknown. */
export async function isChargeUnderWay(db: Database, who: Who): Promise<boolean> {
  return (await tryOfPeriod(db, who, isAsked)).length > 0;
}

/**
 * [Note: Calling off] A charge sets `askedAt` on its attempt before the gateway is called (`renewal/charge.ts`). An
 * attempt without it was never sent, so it is ended here, and the charging process then finds it ended. An attempt
 * that is locked by another transaction is being sent now, and is skipped. The caller has locked the attempts, their
 * order and the customer (`lockCharge`, `lockCustomer`).
 */
export async function endRenewalOfDeletedAccount(tx: Database, who: Who, deps: RenewalDeps): Promise<void> {
  const [unasked] = await tryOfPeriod(tx, who, isUnasked).for('update', { of: attempts, skipLocked: true });
  const calledOff = unasked !== undefined && (await recordCalledOff(tx, unasked.id, deps.clock()));
  await endRenewal(tx, who, deps, { calledOff });
}
