import * as assert from 'node:assert/strict';
import { statusTable, type OrderStatus } from '../../../src/contract/order-status.ts';
import { unbalanced } from '../../builders/balanced.ts';
import { reckon, type Services } from './services.ts';
import { movesSince, recordsOf, type Move, type Records, type World } from './world.ts';

/** What is known of a story so far; `seen` is how far the moves were looked at. */
export interface Watch {
  seen: number;
  readonly services: Services;
}

/** Throws when a law of the shop is broken. */
export async function keepsTheLaws(world: World, watch: Watch): Promise<void> {
  const records = await recordsOf(world);
  const moves = await movesSince(world.stage, watch.seen);
  watch.seen = moves.at(-1)?.seq ?? watch.seen;
  assert.deepEqual(
    moves.filter((move) => !isLegal(move)),
    [],
    'a status was written that the table does not allow',
  );
  const own = new Set(records.orders.map((order) => order.orderId));
  reckon(watch.services, { now: world.stage.now, moves: moves.filter((move) => own.has(move.orderId)), records });
  assert.equal(records.expiredTime, watch.services.expiry, 'the service ends at another time than what was paid for');
  assert.deepEqual(unbalanced(records), []);
  assert.deepEqual(crowded(records), [], 'an order has more than one live attempt');
  assert.deepEqual(couponsUsed(records), couponsHeld(records), 'uses of a coupon are not the orders that have it');
  assert.deepEqual(inventedMoney(records), [], 'the shop booked what the bank never took');
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
