import { isCardExpired } from '#contract/card.ts';
import { isLoginBlocked } from '#server/auth/users.ts';
import {
  type LockedRenewal,
  type RenewalDeps,
  isCustomerSubscription,
} from '#server/billing/subscriptions/lock-renewal.ts';
import { type RenewalOffer, graceEnd, noticeLeadMs } from '#server/billing/subscriptions/renewal-rules.ts';
import { and, eq, inArray, isNotNull, isNull, like, or, sql } from 'drizzle-orm';
import { recordUnchargedCancellation } from '#server/billing/record-outcome.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts, liveStates, renewalKeyPrefix } from '#server/db/schema/attempts.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { endRenewal } from '#server/billing/subscriptions/record-refusal.ts';

/** What is due about a subscription now. `wait` has the time of the next check. */
export type DueStep =
  | { readonly does: 'wait'; readonly until: number | null }
  /** a charge is under way: check its outcome */
  | { readonly does: 'look' }
  /** the paid period ends at another time than when the next charge was scheduled */
  | { readonly does: 'follow' }
  | { readonly does: 'end'; readonly told: boolean }
  /** no method offers the plan any more, or the customer is blocked */
  | { readonly does: 'withdraw' }
  | { readonly does: 'ask'; readonly price: number }
  /** at the agreed price or a lower one */
  | { readonly does: 'notice'; readonly price: number }
  | { readonly does: 'charge'; readonly offer: RenewalOffer }
  /** it is unknown whether the period was charged: the gateway is asked, then an operator decides */
  | { readonly does: 'check charge' };

/**
 * Decides what is due from stored state alone, so late, repeated and concurrent runs decide the same. No charge
 * happens without a notice, above the agreed price, or after automatic renewal was turned off.
 */
export function dueStep(
  held: Pick<LockedRenewal, 'row' | 'user'>,
  offered: RenewalOffer | undefined,
  now: number,
): DueStep {
  const { row, user } = held;
  if (isSuspended(row)) return { does: 'check charge' };
  // customers who cannot log in, or whose account is about to be deleted, could not use what they would pay for
  const offer = isLoginBlocked(user) || user.leavesAt !== null ? undefined : offered;
  switch (row.status) {
    case 'ended':
      return wait(null);
    case 'off':
      return now >= row.paidUntil ? { does: 'end', told: false } : wait(row.paidUntil);
    case 'renewing':
      return { does: 'look' };
    case 'pastDue':
      return pastDueStep({ row, user }, offer, now);
    case 'on':
      // days were added or removed at the moment at which renewal was turned on
      return user.expiredTime !== null && user.expiredTime !== row.paidUntil
        ? { does: 'follow' }
        : onStep(row, offer, now);
  }
}

/**
 * Whether the renewal is suspended after a restore. A restored database lacks what happened after the backup: a period
 * that fell due before the restore may be paid, refused or turned off. Until that is known, nothing is charged,
 * announced or ended.
 *
 * The gateway is asked by the IDs that the attempts would have had (`deriveId`), which charges nothing; money that it
 * took pays for the period. If the gateway does not know, an operator decides (`renewals release`), because gateways
 * forget keys.
 */
export function isSuspended({ status, heldUntil, nextChargeAt, paidUntil }: LockedRenewal['row']): boolean {
  if (heldUntil === null) return false;
  // days paid since the restore have moved the charge past the unknown time
  return status === 'pastDue' || (status === 'on' && (nextChargeAt ?? paidUntil) < heldUntil);
}

function pastDueStep(
  { row, user }: Pick<LockedRenewal, 'row' | 'user'>,
  offer: RenewalOffer | undefined,
  now: number,
): DueStep {
  const ends = user.graceUntil ?? graceEnd(row.paidUntil, row.days);
  if (now >= ends) return { does: 'end', told: true };
  // no grace period and no retry remains
  if (row.nextChargeAt === null && row.graceSpent && user.graceUntil === null) return { does: 'end', told: true };
  if (row.nextChargeAt === null) return wait(ends);
  if (now < row.nextChargeAt) return wait(Math.min(row.nextChargeAt, ends));
  return offer ? { does: 'charge', offer } : { does: 'withdraw' };
}

function onStep(row: LockedRenewal['row'], offer: RenewalOffer | undefined, now: number): DueStep {
  const chargeAt = row.nextChargeAt ?? row.paidUntil;
  const noticeAt = chargeAt - noticeLeadMs(row.days);
  if (now < noticeAt) return wait(noticeAt);
  if (!offer) return { does: 'withdraw' };
  if (offer.price > row.price) {
    if (row.asks !== offer.price) return { does: 'ask', price: offer.price };
    // checked again at the time of the charge: the price may have come down
    return now >= row.paidUntil ? { does: 'end', told: true } : wait(now < chargeAt ? chargeAt : row.paidUntil);
  }
  // a customer who was asked to accept a price was told that nothing is charged without consent, so a new notice is
  // needed
  const isNotified = row.noticed === row.period && row.asks === null;
  // a charge that is long overdue, because the server was down, is announced again
  if (!isNotified || now >= graceEnd(chargeAt, row.days)) return { does: 'notice', price: offer.price };
  return now < chargeAt ? wait(chargeAt) : { does: 'charge', offer };
}

function wait(until: number | null): DueStep {
  return { does: 'wait', until };
}

/** Whether the card is missing or expires before the charge. */
export function cardEndsBefore({ card }: Pick<LockedRenewal, 'card'>, chargeAt: number): boolean {
  return !card || isCardExpired({ month: card.expiryMonth, year: card.expiryYear }, chargeAt);
}

type Who = Parameters<typeof isCustomerSubscription>[0];

/** The server's own open attempt to pay for the period. */
const ownLiveTry = and(
  inArray(sql`${attempts.state} || ''`, [...liveStates]),
  like(attempts.idempotencyKey, `${renewalKeyPrefix}%`),
);
const isUnasked = and(sql`${attempts.state} || '' = 'INTENT'`, isNull(attempts.askedAt));
const isAsked = or(sql`${attempts.state} || '' <> 'INTENT'`, isNotNull(attempts.askedAt));

function tryOfPeriod(db: Database, who: Who, is: typeof isUnasked) {
  return db
    .select({ id: attempts.id })
    .from(subscriptions)
    .innerJoin(attempts, eq(attempts.orderId, subscriptions.orderId))
    .where(and(isCustomerSubscription(who), ownLiveTry, is));
}

/** Whether a renewal charge of this customer has been sent to the bank and its outcome is unknown. */
export async function isChargeInProgress(db: Database, who: Who): Promise<boolean> {
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
  const calledOff = unasked !== undefined && (await recordUnchargedCancellation(tx, unasked.id, deps.clock()));
  await endRenewal(tx, who, deps, { calledOff });
}
