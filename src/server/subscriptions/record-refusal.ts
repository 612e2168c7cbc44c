import { eq } from 'drizzle-orm';
import type { Database } from '../db/connect.ts';
import type { OrderRow } from '../db/purchase-rows.ts';
import { orders } from '../db/schema/orders.ts';
import { renewalConfirmMail, renewalRefusedMail } from '../messages/renewal-mails.ts';
import { change, factsOf, holdRenewal, setGrace, tell, type Held, type RenewalDeps } from './hold.ts';
import { moved, nextPeriod } from './moves.ts';
import { chargeTime, graceEnd, noticeLeadMs, retries, retryTime } from './times.ts';

type Order = Pick<OrderRow, 'brand' | 'uid' | 'orderId' | 'total' | 'createdAt'>;

/**
 * A try to pay a renewal has ended without money. Only the renewal's own charge counts: what its customer tries by hand
 * is between them and the checkout. `asksHolder`: the bank wants its holder, and the order waits for them.
 * Runs in the transaction that writes the end, so that it is told exactly once.
 */
export async function recordRefusal(
  tx: Database,
  deps: RenewalDeps,
  order: Order,
  { asksHolder = false }: { asksHolder?: boolean | undefined } = {},
): Promise<void> {
  const held = await holdRenewal(tx, order, deps);
  if (held?.row.orderId !== order.orderId || held.row.status !== 'renewing') return;
  const now = deps.clock();
  const { row } = held;
  // days that were bought by hand meanwhile are lived first; the clock may have been put back since it was charged
  if (chargeTime(row.paidUntil) > Math.max(now, order.createdAt)) return overtaken(tx, held, now);
  const graceUntil = await refusedOnce(tx, deps, held, { order, asksHolder });
  if (asksHolder) await tx.update(orders).set({ expiresAt: graceUntil }).where(eq(orders.orderId, order.orderId));
}

/** Nobody was asked, because there is no card to charge. */
export async function recordNoCard(tx: Database, deps: RenewalDeps, held: Held): Promise<void> {
  await refusedOnce(tx, deps, held, {});
}

/** Answers until when access goes on. */
async function refusedOnce(
  tx: Database,
  deps: RenewalDeps,
  held: Held,
  { order, asksHolder = false }: { order?: Order; asksHolder?: boolean },
): Promise<number> {
  const now = deps.clock();
  const { row, brand, user } = held;
  const refusals = row.refusals + 1;
  const graceUntil = graceEnd(row.paidUntil, row.days);
  const retryAt = retryTime(refusals, now);
  const next = retryAt !== null && retryAt < graceUntil ? retryAt : null;
  await setGrace(tx, held, graceUntil);
  await change(tx, held, now, {
    status: moved(row, 'refused'),
    refusals,
    nextChargeAt: next,
    dueAt: next ?? graceUntil,
  });
  const facts = { ...factsOf(held, order?.total), graceUntil };
  const { language } = user;
  if (order && asksHolder) {
    const { orderId } = order;
    const mail = () => renewalConfirmMail(brand, language, { ...facts, orderId });
    await tell(tx, held, { mail, sms: { tells: 'confirm', orderId, graceUntil } }, deps);
  } else {
    const mail = () => renewalRefusedMail(brand, language, { ...facts, retryAt: next, retry: refusals, retries });
    await tell(tx, held, { mail, sms: { tells: 'refused', retryAt: next, graceUntil } }, deps);
  }
  return graceUntil;
}

async function overtaken(tx: Database, held: Held, now: number): Promise<void> {
  const { row } = held;
  const nextChargeAt = chargeTime(row.paidUntil);
  const dueAt = nextChargeAt - noticeLeadMs(row.days);
  await change(tx, held, now, { ...nextPeriod(row), status: moved(row, 'overtaken'), nextChargeAt, dueAt });
}
