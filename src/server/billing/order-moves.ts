import { sql, type SQL } from 'drizzle-orm';
import { nextStatus, orderStatusSchema, type OrderEvent, type OrderStatus } from '#contract/order-status.ts';
import { orders } from '#server/db/schema/orders.ts';

/**
 * Turns what happened to an order into transitions of the contract's status table. Each is one compare-and-set
 * statement: the row changes only from a status that the table allows, so two writers cannot both win. No other code
 * writes a status by name.
 */
export interface OrderMove {
  /** condition: the order is in a status from which this event is possible */
  readonly possible: SQL;
  /** value: the status after the event */
  readonly status: SQL;
}

/**
 * The move for an event. Each path is a sequence of events; the first path that the table allows from the order's
 * status is taken, so late money is `paidLate` from one status and `retried`, `succeeded` from another.
 */
function moveOrder(...paths: readonly (readonly OrderEvent[])[]): OrderMove {
  const moves = orderStatusSchema.options.flatMap((from) => {
    const to = paths.map((path) => follow(from, path)).find((end) => end !== undefined);
    return to === undefined ? [] : [{ from, to }];
  });
  const cases = moves.map(({ from, to }) => sql`when ${literal(from)} then ${literal(to)}`);
  const status = sql`case ${orders.status} ${sql.join(cases, sql` `)} end`;
  // not a list of statuses: PostgreSQL would match it to a partial index and choose a worse plan
  return { possible: sql`(${status}) is not null`, status };
}

/** An empty path leaves the status unchanged, which only a pending payment allows. */
function follow(from: OrderStatus, path: readonly OrderEvent[]): OrderStatus | undefined {
  if (path.length === 0) return from === 'PAYMENT_PENDING' ? from : undefined;
  return path.reduce<OrderStatus | undefined>((status, event) => status && nextStatus(status, event), from);
}

/**
 * Statuses come from the contract, not from a request. Literals give the statement a constant text, so it is prepared
 * once.
 */
function literal(status: OrderStatus): SQL {
  return sql.raw(`'${status}'`);
}

/** The payment waits for the customer, or continues to wait. */
export const openedMove = moveOrder(['opened'], []);
/** Money has arrived, in time or late; it is never dropped. */
export const paidMove = moveOrder(['succeeded'], ['paidLate'], ['retried', 'succeeded']);
export const failedMove = moveOrder(['failed']);
export const cancelledMove = moveOrder(['cancelled']);
/** Another attempt, after a failure or after a code has expired. */
export const retriedMove = moveOrder(['retried'], []);

/**
 * What a notice reports about a refund or a dispute. The end may arrive before the beginning; then both are applied.
 */
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

/** A dispute replaces a requested refund: the bank has taken the money, so it must not be refunded as well. */
function disputed(...end: readonly OrderEvent[]): OrderMove {
  const opening = [['chargebackOpened'], ['refundCancelled', 'chargebackOpened']] as const;
  const paths = opening.map((path) => [...path, ...end]);
  return moveOrder(...(end.length > 0 ? [end] : []), ...paths);
}
