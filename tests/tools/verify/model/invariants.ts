import * as assert from 'node:assert/strict';
import { statusTable, type OrderStatus } from '#contract/order-status.ts';
import { unbalanced } from '#tests/builders/unbalanced-orders.ts';
import { isGone, hasNoRowsLeft, tokensOf } from './account-deletion.ts';
import { ownTriesWhileOff } from './renewals.ts';
import { graceMs, reckon, type Services } from './services.ts';
import { movesSince, recordsOf, type Move, type Records, type World } from './world.ts';

/** The state of the checks of a story; `seen` is the last checked status change. */
export interface Watch {
  seen: number;
  readonly services: Services;
  /** the number of automatic charges since the renewal is off; undefined while it is on */
  whileOff: number | undefined;
  /** whether the account was deleted */
  isGone: boolean;
  /** the tokens of the saved cards */
  readonly tokens: Set<string>;
}

/** Throws when an invariant of the shop is violated. */
export async function assertInvariants(world: World, watch: Watch): Promise<void> {
  const records = await recordsOf(world);
  const moves = await movesSince(world.stage, watch.seen);
  watch.seen = moves.at(-1)?.seq ?? watch.seen;
  assert.deepEqual(
    moves.filter((move) => !isLegal(move)),
    [],
    'a status change is not in the table',
  );
  await assertRenewals(world, records, watch);
  const own = new Set(records.orders.map((order) => order.orderId));
  reckon(watch.services, { now: world.stage.now, moves: moves.filter((move) => own.has(move.orderId)), records });
  for (const token of await tokensOf(world)) watch.tokens.add(token);
  watch.isGone ||= await isGone(world);
  if (watch.isGone) await hasNoRowsLeft(world);
  else assert.equal(records.expiredTime, watch.services.expiry, 'the service does not end with the paid period');
  if (!watch.isGone) assertPeriods(world, records, watch.services);
  assert.deepEqual(unbalanced(watch.isGone ? paidRecords(records) : records), []);
  assert.deepEqual(ordersWithSeveralActiveAttempts(records), [], 'an order has more than one active attempt');
  assert.deepEqual(
    couponsUsed(records),
    couponsInOrders(records),
    'the counted uses of a coupon differ from its orders',
  );
  assert.deepEqual(captureWithoutCharge(records), [], 'the shop booked a charge that the bank did not make');
}

/**
 * [Note: Periods] Each paid order has its own period with its own devices, independent of later purchases. Paid days
 * are present or were removed by a refund. The time determines the current period.
 */
function assertPeriods({ stage: { now } }: World, { orders, periods }: Records, services: Services): void {
  const own = services.periods.filter(({ orderId }) => orderId !== null);
  const written = orders.filter(({ serviceEnd }) => serviceEnd !== null);
  assert.deepEqual(
    written
      .map(({ orderId, devices, serviceStart: start, serviceEnd: end }) => ({ orderId, devices, start, end }))
      .toSorted(byId),
    own.toSorted(byId),
    'the period of an order is not the bought one',
  );
  for (const { orderId, days, serviceStart, serviceEnd, serviceChanges } of written) {
    const lost = serviceChanges.filter(({ kind }) => kind === 'shortened').reduce((sum, { ms }) => sum + ms, 0);
    assert.equal((serviceEnd ?? 0) - (serviceStart ?? 0) + lost, days * 86_400_000, `days of ${orderId} are missing`);
  }
  const left = services.periods.filter(({ start, end }) => end > now && end > start);
  const shown = periods.filter(({ kind }) => kind === 'paid');
  assert.deepEqual(
    shown.map(({ orderId, devices, from: start, until: end }) => ({ orderId, devices, start, end })),
    left.filter(({ orderId }) => orderId !== null).toSorted((a, b) => a.end - b.end),
    'the account shows other periods than the remaining ones',
  );
  const trial = left.find(({ orderId }) => orderId === null);
  if (!trial || trial.start > now) return;
  const [first] = periods;
  assert.deepEqual(
    [first?.kind, first?.devices, first?.until],
    ['given', trial.devices, trial.end],
    'the account does not show the trial',
  );
}

const byId = (a: { orderId: string | null }, b: { orderId: string | null }) =>
  (a.orderId ?? '') < (b.orderId ?? '') ? -1 : 1;

/**
 * The records of paid orders: a payment after the deletion of the account changes no order and is refunded (account-deletion.ts).
 */
function paidRecords({ orders, attempts, ledger }: Records): Pick<Records, 'orders' | 'attempts' | 'ledger'> {
  const paid = new Set(orders.filter(({ paidAt }) => paidAt !== null).map(({ orderId }) => orderId));
  const isPaid = ({ orderId }: { readonly orderId: string }) => paid.has(orderId);
  return { orders: orders.filter(isPaid), attempts: attempts.filter(isPaid), ledger: ledger.filter(isPaid) };
}

/** The grace period is at most seven days, and a stopped renewal is not charged. */
async function assertRenewals(world: World, { graceUntil, expiredTime }: Records, watch: Watch): Promise<void> {
  if (graceUntil !== null) assert.ok(graceUntil <= (expiredTime ?? 0) + graceMs, 'the grace period is too long');
  const before = watch.whileOff;
  watch.whileOff = await ownTriesWhileOff({ world });
  if (before !== undefined && watch.whileOff !== undefined)
    assert.equal(watch.whileOff, before, 'a charge after the renewal was turned off');
}

/** The statuses in which an order releases its coupon. */
const releasesCoupon: readonly OrderStatus[] = ['PAYMENT_FAILED', 'PAYMENT_CANCELLED'];

/**
 * Whether a status change follows the table: a new order is SUBMITTED, and one write makes up to three moves, because a
 * provider may report an end before its beginning.
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

function ordersWithSeveralActiveAttempts({ orders, attempts }: Records): string[] {
  const live = attempts.filter(({ state }) => state === 'INTENT' || state === 'PENDING');
  return orders
    .map(({ orderId }) => orderId)
    .filter((orderId) => live.filter((attempt) => attempt.orderId === orderId).length > 1);
}

function couponsUsed({ coupons }: Records): Record<string, number> {
  return Object.fromEntries(coupons.map(({ code, used }) => [code, used]));
}

function couponsInOrders({ coupons, orders }: Records): Record<string, number> {
  const holding = orders.filter(({ status }) => !releasesCoupon.includes(status));
  return Object.fromEntries(
    coupons.map(({ code }) => [code, holding.filter((order) => order.discountCode === code).length]),
  );
}

function captureWithoutCharge({ ledger, takings }: Records): string[] {
  return ledger
    .filter(({ kind, amount }) => kind === 'capture' && amount !== 0)
    .filter(({ attemptId, amount, currency }) => {
      const taken = takings.find(({ key }) => key === attemptId);
      return taken?.amount !== amount || taken.currency !== currency;
    })
    .map(({ attemptId }) => attemptId);
}
