import { isCardExpired } from '#contract/card.ts';
import { isShutOut } from '#server/auth/find-user.ts';
import type { LockedRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import type { Offer } from '#server/billing/subscriptions/offer.ts';
import { graceEnd, noticeLeadMs } from '#server/billing/subscriptions/times.ts';

/** What there is to do about a subscription now; `wait` until the instant that is told. */
export type DueStep =
  | { readonly does: 'wait'; readonly until: number | null }
  /** its last word was not heard: look how its charge stands */
  | { readonly does: 'look' }
  /** what is paid ends at another time than when the next charge was set */
  | { readonly does: 'follow' }
  | { readonly does: 'end'; readonly told: boolean }
  /** nobody offers it any more, or its customer is shut out */
  | { readonly does: 'withdraw' }
  | { readonly does: 'ask'; readonly price: number }
  /** at the price that was agreed to, or a lower one */
  | { readonly does: 'notice'; readonly price: number }
  | { readonly does: 'charge'; readonly offer: Offer }
  /** whether it was charged already is not known here: the gateway is asked, and then an operator */
  | { readonly does: 'ask gateway' };

/**
 * What is due, from what is written alone, so that whoever comes late, twice or from another process finds the same. No
 * charge comes without its notice, none at a price that was not agreed to, and none after it was turned off.
 */
export function dueStep(held: Pick<LockedRenewal, 'row' | 'user'>, offered: Offer | undefined, now: number): DueStep {
  const { row, user } = held;
  if (isSuspended(row)) return { does: 'ask gateway' };
  // who may not sign in, or leaves, cannot use what they would pay for
  const offer = isShutOut(user) || user.leavesAt !== null ? undefined : offered;
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
      // days were bought or taken back in the moment in which it was turned on
      return user.expiredTime !== null && user.expiredTime !== row.paidUntil
        ? { does: 'follow' }
        : onStep(row, offer, now);
  }
}

/**
 * [Note: Held renewals] A shop that was restored from a backup does not know what it did after it: a period whose charge
 * fell due before the restore may be paid, refused or turned off. Nothing is charged, told or ended for such a one. Its
 * gateway is asked, by the names that its tries would have had (`idNamed`), which charges nobody; money that it took pays
 * the period, and the next one. What it knows nothing of waits for an operator (`renewals release`), because gateways
 * forget, and nobody asked about the same card's replacement.
 */
export function isSuspended({ status, heldUntil, nextChargeAt, paidUntil }: LockedRenewal['row']): boolean {
  if (heldUntil === null) return false;
  // days that were paid since have moved the charge behind what is unknown
  return status === 'pastDue' || (status === 'on' && (nextChargeAt ?? paidUntil) < heldUntil);
}

function pastDueStep(
  { row, user }: Pick<LockedRenewal, 'row' | 'user'>,
  offer: Offer | undefined,
  now: number,
): DueStep {
  const ends = user.graceUntil ?? graceEnd(row.paidUntil, row.days);
  if (now >= ends) return { does: 'end', told: true };
  // neither grace nor another try is left
  if (row.nextChargeAt === null && row.graceSpent && user.graceUntil === null) return { does: 'end', told: true };
  if (row.nextChargeAt === null) return wait(ends);
  if (now < row.nextChargeAt) return wait(Math.min(row.nextChargeAt, ends));
  return offer ? { does: 'charge', offer } : { does: 'withdraw' };
}

function onStep(row: LockedRenewal['row'], offer: Offer | undefined, now: number): DueStep {
  const chargeAt = row.nextChargeAt ?? row.paidUntil;
  const noticeAt = chargeAt - noticeLeadMs(row.days);
  if (now < noticeAt) return wait(noticeAt);
  if (!offer) return { does: 'withdraw' };
  if (offer.price > row.price) {
    if (row.asks !== offer.price) return { does: 'ask', price: offer.price };
    // looked at once more when it would have been charged: the price may have come down again
    return now >= row.paidUntil ? { does: 'end', told: true } : wait(now < chargeAt ? chargeAt : row.paidUntil);
  }
  // who was asked, and need not answer any more, was told that nothing would be charged without a yes
  const isNotified = row.noticed === row.period && row.asks === null;
  // and a charge that comes long after the day that was told, because the shop was away, is told of anew
  if (!isNotified || now >= graceEnd(chargeAt, row.days)) return { does: 'notice', price: offer.price };
  return now < chargeAt ? wait(chargeAt) : { does: 'charge', offer };
}

function wait(until: number | null): DueStep {
  return { does: 'wait', until };
}

/** The card is no longer good when it is to be charged, or is gone. */
export function cardEndsBefore({ card }: Pick<LockedRenewal, 'card'>, chargeAt: number): boolean {
  return !card || isCardExpired({ month: card.expiryMonth, year: card.expiryYear }, chargeAt);
}
