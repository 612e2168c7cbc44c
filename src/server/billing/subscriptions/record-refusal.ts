import { eq } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { orders } from '#server/db/schema/orders.ts';
import { renewalConfirmMail, renewalRefusedMail } from '#server/messages/renewal-mails.ts';
import {
  updateSubscription,
  factsOf,
  calculateGraceEnd,
  lockRenewal,
  setGrace,
  notifyCustomer,
  type LockedRenewal,
  type RenewalDeps,
} from './lock-renewal.ts';
import {
  chargeTime,
  graceEnd,
  noticeLeadMs,
  retries,
  retryTime,
  requireNextStatus,
  nextPeriod,
} from './renewal-rules.ts';
import { nextRenewalStatus } from '#contract/renewal.ts';
import type { TurnOffCause } from '#server/db/schema/subscriptions.ts';
import { renewalOffMail } from '#server/messages/renewal-chosen-mail.ts';
import type { SmsDeps } from '#server/messages/sms-budget.ts';
import { queueEvent } from '#server/messages/webhooks/queue-event.ts';

type Order = Pick<OrderRow, 'brand' | 'uid' | 'orderId' | 'total' | 'createdAt'>;

/**
 * Records that an attempt to pay a renewal ended without money. Only the renewal's own charge counts, not attempts by
 * the customer. `asksHolder`: the bank requires the cardholder, and the order waits for them. Runs in the transaction
 * that ends the attempt, so that the customer is notified exactly once.
 */
export async function recordRefusal(
  tx: Database,
  deps: RenewalDeps,
  order: Order,
  { asksHolder = false }: { asksHolder?: boolean | undefined } = {},
): Promise<void> {
  const renewal = await lockRenewal(tx, order, deps);
  if (renewal?.row.orderId !== order.orderId || renewal.row.status !== 'renewing') return;
  const now = deps.clock();
  const { row } = renewal;
  // days bought by hand meanwhile are used first; `createdAt`, because the clock may have been set back since the
  // charge
  if (chargeTime(row.paidUntil) > Math.max(now, order.createdAt)) return postponeCharge(tx, renewal, now);
  await recordRefusedCharge(tx, deps, renewal, { order, asksHolder });
  if (asksHolder)
    await tx
      .update(orders)
      .set({ expiresAt: graceEnd(row.paidUntil, row.days) })
      .where(eq(orders.orderId, order.orderId));
}

/** Records a refusal without a charge, because there is no card. */
export async function recordMissingCard(tx: Database, deps: RenewalDeps, held: LockedRenewal): Promise<void> {
  await recordRefusedCharge(tx, deps, held, {});
}

async function recordRefusedCharge(
  tx: Database,
  deps: RenewalDeps,
  held: LockedRenewal,
  { order, asksHolder = false }: { order?: Order; asksHolder?: boolean },
): Promise<void> {
  const now = deps.clock();
  const { row, brand, user } = held;
  const refusals = row.refusals + 1;
  // retries last as long with grace as without
  const triedUntil = graceEnd(row.paidUntil, row.days);
  const graceUntil = calculateGraceEnd(held, now);
  const retryAt = retryTime(refusals, now);
  const next = retryAt !== null && retryAt < triedUntil ? retryAt : null;
  await setGrace(tx, held, graceUntil);
  await updateSubscription(tx, held, now, {
    status: requireNextStatus(row, 'refused'),
    refusals,
    nextChargeAt: next,
    // the cardholder can still confirm until then
    dueAt: next ?? graceUntil ?? (asksHolder ? triedUntil : now),
    graceSpent: true,
  });
  const facts = factsOf(held, order?.total);
  const { language } = user;
  if (order && asksHolder) {
    const { orderId } = order;
    const mail = () => renewalConfirmMail(brand, language, { ...facts, orderId, payUntil: triedUntil });
    await notifyCustomer(tx, held, { mail, sms: { kind: 'confirm', orderId, payUntil: triedUntil } }, deps);
  } else {
    const refused = { ...facts, retryAt: next, retry: refusals, retries, graceUntil, paidUntil: row.paidUntil };
    const mail = () => renewalRefusedMail(brand, language, refused);
    const accessUntil = graceUntil ?? row.paidUntil;
    const isPaypal = facts.account !== undefined;
    // without grace the last refusal is the end, and another SMS reports that
    const sms =
      next === null && graceUntil === null ? null : { kind: 'refused' as const, isPaypal, retryAt: next, accessUntil };
    await notifyCustomer(tx, held, { mail, sms }, deps);
  }
}

async function postponeCharge(tx: Database, held: LockedRenewal, now: number): Promise<void> {
  const { row } = held;
  const nextChargeAt = chargeTime(row.paidUntil);
  const dueAt = nextChargeAt - noticeLeadMs(row.days);
  await updateSubscription(tx, held, now, {
    ...nextPeriod(row),
    status: requireNextStatus(row, 'overtaken'),
    nextChargeAt,
    dueAt,
  });
}

/**
 * Turns automatic renewal off at once: nothing is charged any more, paid access continues to its end, and grace ends
 * now. The status must allow it; `reason` is the customer's own.
 */
export async function turnOff(
  tx: Database,
  deps: SmsDeps & Pick<RenewalDeps, 'sms'>,
  held: LockedRenewal,
  { by, reason }: { by: TurnOffCause; reason?: string | undefined },
): Promise<void> {
  const { row, brand, user } = held;
  const now = deps.clock();
  const inFlight = row.status === 'renewing';
  await setGrace(tx, held, null);
  await updateSubscription(tx, held, now, {
    ...(!inFlight && nextPeriod(row)),
    status: requireNextStatus(row, by === 'customer' || by === 'support' ? 'turnedOff' : 'withdrawn'),
    nextChargeAt: null,
    dueAt: row.paidUntil,
    offReason: reason ?? null,
    offBy: by,
    offAt: now,
    asks: null,
  });
  const endsAt = endOf(held, now);
  const data = { uid: user.uid, planId: row.planId, by, accessUntil: new Date(endsAt).toISOString() };
  await queueEvent(tx, brand, { type: 'renewal.turned_off', data }, deps);
  // the email that confirms a withdrawal says it as well
  if (by === 'withdrawal' && user.email !== null) return;
  const mail = () =>
    renewalOffMail(brand, user.language, { ...factsOf(held), endsAt, by: by === 'withdrawal' ? 'reversal' : by });
  // no SMS to a customer who has just turned it off
  await notifyCustomer(tx, held, { mail, sms: by === 'customer' ? null : { kind: 'off', endsAt, by } }, deps);
}

/** When access ends: now, if the plan was in grace. */
function endOf({ row }: LockedRenewal, now: number): number {
  return Math.max(row.paidUntil, now);
}

/**
 * Turns a renewal off when the payment of its order, or of the order that turned it on, is refunded or disputed,
 * because the customer does not want to be charged again. Runs in the transaction that books the reversal.
 */
export async function turnOffAfterReversal(
  tx: Database,
  deps: RenewalDeps,
  who: Pick<OrderRow, 'brand' | 'uid'>,
  by: 'reversal' | 'dispute',
): Promise<void> {
  const renewal = await lockRenewal(tx, who, deps);
  if (renewal && nextRenewalStatus(renewal.row.status, 'withdrawn')) await turnOff(tx, deps, renewal, { by });
}

/**
 * Ends a renewal for the deletion of an account, without a message: nothing is charged any more, and the card is
 * removed from it. A running charge keeps its period, and its money still counts. `tx` is the transaction that deletes
 * the account.
 */
export async function endRenewal(
  tx: Database,
  who: Pick<OrderRow, 'brand' | 'uid'>,
  deps: RenewalDeps,
  { calledOff = false }: { readonly calledOff?: boolean } = {},
): Promise<void> {
  const renewal = await lockRenewal(tx, who, deps);
  if (!renewal) return;
  const { row } = renewal;
  const status = nextRenewalStatus(row.status, 'withdrawn') ?? row.status;
  const ended = { status, cardId: null, nextChargeAt: null, dueAt: null, asks: null };
  await setGrace(tx, renewal, null);
  if (status !== row.status) {
    const accessUntil = new Date(endOf(renewal, deps.clock())).toISOString();
    const data = { uid: row.uid, planId: row.planId, by: 'deletion', accessUntil } as const;
    await queueEvent(tx, renewal.brand, { type: 'renewal.turned_off', data }, deps);
  }
  const inFlight = row.status === 'renewing' && !calledOff;
  await updateSubscription(tx, renewal, deps.clock(), { ...(!inFlight && nextPeriod(row)), ...ended });
}
