import { sql, type SQL } from 'drizzle-orm';
import { nextStatus, orderStatusSchema, type OrderEvent, type OrderStatus } from '#contract/order-status.ts';
import { orders } from '#server/db/schema/orders.ts';

/**
 * [Note: Order moves] No code writes a status by name. A write says what happened; this file turns that into the moves
 * of the contract's table, as one compare-and-set: the row moves only from a status that the table lets move, read and
 * written in the same statement, so two writers can never both win.
 */
export interface OrderMove {
  /** condition: the order is in a status from which this can happen */
  readonly possible: SQL;
  /** value: the status that it leads to */
  readonly status: SQL;
}

/**
 * The move for what happened. Each path is a sequence of events; the first path that the table allows from the order's
 * status is taken, so late money can go `paidLate` from one status and `retried`, `succeeded` from another.
 */
export function moveOrder(...paths: readonly (readonly OrderEvent[])[]): OrderMove {
  const moves = orderStatusSchema.options.flatMap((from) => {
    const to = paths.map((path) => follow(from, path)).find((end) => end !== undefined);
    return to === undefined ? [] : [{ from, to }];
  });
  const cases = moves.map(({ from, to }) => sql`when ${literal(from)} then ${literal(to)}`);
  const status = sql`case ${orders.status} ${sql.join(cases, sql` `)} end`;
  // not as a list of statuses, which would fit a partial index ([Note: Partial indexes])
  return { possible: sql`(${status}) is not null`, status };
}

/** An empty path stays where it is, which only an open payment may do. */
function follow(from: OrderStatus, path: readonly OrderEvent[]): OrderStatus | undefined {
  if (path.length === 0) return from === 'PAYMENT_PENDING' ? from : undefined;
  return path.reduce<OrderStatus | undefined>((status, event) => status && nextStatus(status, event), from);
}

/** Statuses come from the contract, not from a request: as literals they keep the statement's text one and the same. */
function literal(status: OrderStatus): SQL {
  return sql.raw(`'${status}'`);
}

/** The payment waits for the customer, or goes on waiting. */
export const opened = moveOrder(['opened'], []);
/** Money has arrived, in time or late (never dropped). */
export const paid = moveOrder(['succeeded'], ['paidLate'], ['retried', 'succeeded']);
export const failed = moveOrder(['failed']);
export const cancelled = moveOrder(['cancelled']);
/** Another try: after a failure, or after a code that has expired. */
export const retried = moveOrder(['retried'], []);

/** What a notice says of a refund or a dispute. The end may be told before the beginning, and then goes both ways. */
export const refundMoves = {
  opened: moveOrder(['refundOpened']),
  succeeded: moveOrder(['refundSucceeded'], ['refundOpened', 'refundSucceeded']),
  rejected: moveOrder(['refundRejected'], ['refundOpened', 'refundRejected']),
  cancelled: moveOrder(['refundCancelled'], ['refundOpened', 'refundCancelled']),
};
export const chargebackMoves = {
  opened: disputed(),
  succeeded: disputed('chargebackSucceeded'),
  rejected: disputed('chargebackRejected'),
  cancelled: disputed('chargebackCancelled'),
};

/** A dispute overtakes a refund that was only asked for: the bank has taken the money, so nobody gives it back any more. */
function disputed(...end: readonly OrderEvent[]): OrderMove {
  const opening = [['chargebackOpened'], ['refundCancelled', 'chargebackOpened']] as const;
  const paths = opening.map((path) => [...path, ...end]);
  return moveOrder(...(end.length > 0 ? [end] : []), ...paths);
}
