import { nextRenewalStatus } from '#contract/renewal.ts';
import type { Database } from '#server/db/connect.ts';
import type { OrderRow } from '#server/db/purchase-rows.ts';
import { renewalOffMail, type OffBy } from '#server/messages/renewal-off-mail.ts';
import type { SmsDeps } from '#server/messages/sms-budget.ts';
import { change, factsOf, lockRenewal, setGrace, tell, type LockedRenewal, type RenewalDeps } from './lock-renewal.ts';
import { moved, nextPeriod } from './moves.ts';

/**
 * Turns automatic renewal off at once: nothing is charged any more, paid access continues to its end, and grace ends
 * now. The status must allow it; `reason` is the customer's own.
 */
export async function turnOff(
  tx: Database,
  deps: SmsDeps & Pick<RenewalDeps, 'sms'>,
  held: LockedRenewal,
  { by, reason }: { by: OffBy; reason?: string | undefined },
): Promise<void> {
  const { row, brand, user } = held;
  const now = deps.clock();
  const inFlight = row.status === 'renewing';
  await setGrace(tx, held, null);
  await change(tx, held, now, {
    ...(!inFlight && nextPeriod(row)),
    status: moved(row, by === 'customer' ? 'turnedOff' : 'withdrawn'),
    nextChargeAt: null,
    dueAt: row.paidUntil,
    offReason: reason ?? null,
    asks: null,
  });
  const endsAt = endOf(held, now);
  // the email that confirms a withdrawal says it as well
  if (by === 'withdrawal' && user.email !== null) return;
  const mail = () =>
    renewalOffMail(brand, user.language, { ...factsOf(held), endsAt, by: by === 'withdrawal' ? 'reversal' : by });
  // no SMS to a customer who has just turned it off
  await tell(tx, held, { mail, sms: by === 'customer' ? null : { tells: 'off', endsAt, by } }, deps);
}

/** When access ends: now, if the plan was in grace. */
function endOf({ row }: LockedRenewal, now: number): number {
  return Math.max(row.paidUntil, now);
}

/**
 * Turns a renewal off when the payment of its order, or of the order that turned it on, is refunded or disputed,
 * because the customer does not want to be charged again. Runs in the transaction that books the reversal.
 */
export async function withdrawRenewal(
  tx: Database,
  deps: RenewalDeps,
  who: Pick<OrderRow, 'brand' | 'uid'>,
): Promise<void> {
  const renewal = await lockRenewal(tx, who, deps);
  if (renewal && nextRenewalStatus(renewal.row.status, 'withdrawn'))
    await turnOff(tx, deps, renewal, { by: 'reversal' });
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
  const inFlight = row.status === 'renewing' && !calledOff;
  await change(tx, renewal, deps.clock(), { ...(!inFlight && nextPeriod(row)), ...ended });
}
