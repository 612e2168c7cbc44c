import * as assert from 'node:assert/strict';
import { statusTable, type OrderStatus } from '#contract/order-status.ts';
import { unbalanced } from '#tests/builders/balanced.ts';
import { isGone, hasNoRowsLeft, tokensOf } from './leaving.ts';
import { ownTriesWhileOff } from './renewals.ts';
import { graceMs, reckon, type Services } from './services.ts';
import { movesSince, recordsOf, type Move, type Records, type World } from './world.ts';

/** What is known of a story so far; `seen` is how far the moves were looked at. */
export interface Watch {
  seen: number;
  readonly services: Services;
  /** how often the shop had charged by itself when the renewal was off, where it still is */
  whileOff: number | undefined;
  /** the account was deleted */
  isGone: boolean;
  /** of the cards that were kept */
  readonly tokens: Set<string>;
}

/** Throws when a law of the shop is broken. */
export async function assertInvariants(world: World, watch: Watch): Promise<void> {
  const records = await recordsOf(world);
  const moves = await movesSince(world.stage, watch.seen);
  watch.seen = moves.at(-1)?.seq ?? watch.seen;
  assert.deepEqual(
    moves.filter((move) => !isLegal(move)),
    [],
    'a status was written that the table does not allow',
  );
  await keepsRenewals(world, records, watch);
  const own = new Set(records.orders.map((order) => order.orderId));
  reckon(watch.services, { now: world.stage.now, moves: moves.filter((move) => own.has(move.orderId)), records });
  for (const token of await tokensOf(world)) watch.tokens.add(token);
  watch.isGone ||= await isGone(world);
  if (watch.isGone) await hasNoRowsLeft(world);
  else
    assert.equal(records.expiredTime, watch.services.expiry, 'the service ends at another time than what was paid for');
  if (!watch.isGone) keepsPeriods(world, records, watch.services);
  assert.deepEqual(unbalanced(watch.isGone ? ofSomebody(records) : records), []);
  assert.deepEqual(crowded(records), [], 'an order has more than one live attempt');
  assert.deepEqual(couponsUsed(records), couponsHeld(records), 'uses of a coupon are not the orders that have it');
  assert.deepEqual(inventedMoney(records), [], 'the shop booked what the bank never took');
}

/**
 * [Note: Periods] Each paid order has its own period with its own devices, whatever was bought after it; days that were paid
 * are there, or were taken back with their money; and what runs now is told by time.
 */
function keepsPeriods({ stage: { now } }: World, { orders, periods }: Records, services: Services): void {
  const own = services.periods.filter(({ orderId }) => orderId !== null);
  const written = orders.filter(({ serviceEnd }) => serviceEnd !== null);
  assert.deepEqual(
    written
      .map(({ orderId, devices, serviceStart: start, serviceEnd: end }) => ({ orderId, devices, start, end }))
      .toSorted(byId),
    own.toSorted(byId),
    'the period of an order is not the one that it bought',
  );
  for (const { orderId, days, serviceStart, serviceEnd, serviceChanges } of written) {
    const lost = serviceChanges.filter(({ kind }) => kind === 'shortened').reduce((sum, { ms }) => sum + ms, 0);
    assert.equal((serviceEnd ?? 0) - (serviceStart ?? 0) + lost, days * 86_400_000, `days of ${orderId} are nowhere`);
  }
  const left = services.periods.filter(({ start, end }) => end > now && end > start);
  const told = periods.filter(({ kind }) => kind === 'paid');
  assert.deepEqual(
    told.map(({ orderId, devices, from: start, until: end }) => ({ orderId, devices, start, end })),
    left.filter(({ orderId }) => orderId !== null).toSorted((a, b) => a.end - b.end),
    'the account tells other periods than those that are left',
  );
  const trial = left.find(({ orderId }) => orderId === null);
  if (!trial || trial.start > now) return;
  const [first] = periods;
  assert.deepEqual(
    [first?.kind, first?.devices, first?.until],
    ['given', trial.devices, trial.end],
    'a trial is not told',
  );
}

const byId = (a: { orderId: string | null }, b: { orderId: string | null }) =>
  (a.orderId ?? '') < (b.orderId ?? '') ? -1 : 1;

/** Money that came when its owner was gone moves no order, and is given back (ending.ts). */
function ofSomebody({ orders, attempts, ledger }: Records): Pick<Records, 'orders' | 'attempts' | 'ledger'> {
  const paid = new Set(orders.filter(({ paidAt }) => paidAt !== null).map(({ orderId }) => orderId));
  const isPaid = ({ orderId }: { readonly orderId: string }) => paid.has(orderId);
  return { orders: orders.filter(isPaid), attempts: attempts.filter(isPaid), ledger: ledger.filter(isPaid) };
}

/** Access runs for seven days on credit at most, and whoever has stopped a renewal is charged no more. */
async function keepsRenewals(world: World, { graceUntil, expiredTime }: Records, watch: Watch): Promise<void> {
  if (graceUntil !== null) assert.ok(graceUntil <= (expiredTime ?? 0) + graceMs, 'access on credit for too long');
  const before = watch.whileOff;
  watch.whileOff = await ownTriesWhileOff({ world });
  if (before !== undefined && watch.whileOff !== undefined)
    assert.equal(watch.whileOff, before, 'charged after it was off');
}

/** Statuses in which an order has the use of its coupon. */
const letsGo: readonly OrderStatus[] = ['PAYMENT_FAILED', 'PAYMENT_CANCELLED'];

/**
 * An order starts at the beginning, and goes on along the table: by one move at a time, or up to three in one write, where
 * a provider tells of an end before its beginning.
 */
function isLegal({ before, after }: Move): boolean {
  if (before === null) return after === 'SUBMITTED';
  const oneMove = movesFrom(before);
  const twoMoves = oneMove.flatMap(movesFrom);
  return before === after || [...oneMove, ...twoMoves, ...twoMoves.flatMap(movesFrom)].includes(after);
}

function movesFrom(status: OrderStatus): OrderStatus[] {
  return Object.values(statusTable[status]);
}

function crowded({ orders, attempts }: Records): string[] {
  const live = attempts.filter(({ state }) => state === 'INTENT' || state === 'PENDING');
  return orders
    .map(({ orderId }) => orderId)
    .filter((orderId) => live.filter((attempt) => attempt.orderId === orderId).length > 1);
}

function couponsUsed({ coupons }: Records): Record<string, number> {
  return Object.fromEntries(coupons.map(({ code, used }) => [code, used]));
}

function couponsHeld({ coupons, orders }: Records): Record<string, number> {
  const holding = orders.filter(({ status }) => !letsGo.includes(status));
  return Object.fromEntries(
    coupons.map(({ code }) => [code, holding.filter((order) => order.discountCode === code).length]),
  );
}

function inventedMoney({ ledger, takings }: Records): string[] {
  return ledger
    .filter(({ kind, amount }) => kind === 'capture' && amount !== 0)
    .filter(({ attemptId, amount, currency }) => {
      const taken = takings.find(({ key }) => key === attemptId);
      return taken?.amount !== amount || taken.currency !== currency;
    })
    .map(({ attemptId }) => attemptId);
}
