import * as v from 'valibot';

/** The server's order statuses. NETWORK_ERROR exists only on the client. */
export const orderStatusSchema = v.picklist([
  'SUBMITTED',
  'PAYMENT_PENDING',
  'PAYMENT_SUCCEEDED',
  'PAYMENT_FAILED',
  'PAYMENT_CANCELLED',
  'REFUND_PENDING',
  'REFUND_SUCCEEDED',
  'REFUND_REJECTED',
  'REFUND_CANCELLED',
  'CHARGEBACK_PENDING',
  'CHARGEBACK_SUCCEEDED',
  'CHARGEBACK_REJECTED',
  'CHARGEBACK_CANCELLED',
]);
export type OrderStatus = v.InferOutput<typeof orderStatusSchema>;
export type DisplayStatus = OrderStatus | 'NETWORK_ERROR';

/** What happened to the order. Every transition has one cause. */
export type OrderEvent =
  | 'opened'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'retried'
  | 'paidLate'
  | 'refundOpened'
  | 'refundSucceeded'
  | 'refundRejected'
  | 'refundCancelled'
  | 'chargebackOpened'
  | 'chargebackSucceeded'
  | 'chargebackRejected'
  | 'chargebackCancelled';

type Moves = Partial<Record<OrderEvent, OrderStatus>>;

const settled: Moves = { refundOpened: 'REFUND_PENDING', chargebackOpened: 'CHARGEBACK_PENDING' };

/** The only transition table. The server changes a status only through `nextStatus`. */
export const statusTable: Readonly<Record<OrderStatus, Moves>> = {
  SUBMITTED: {
    opened: 'PAYMENT_PENDING',
    succeeded: 'PAYMENT_SUCCEEDED',
    failed: 'PAYMENT_FAILED',
    cancelled: 'PAYMENT_CANCELLED',
  },
  PAYMENT_PENDING: {
    succeeded: 'PAYMENT_SUCCEEDED',
    failed: 'PAYMENT_FAILED',
    cancelled: 'PAYMENT_CANCELLED',
  },
  PAYMENT_FAILED: { retried: 'PAYMENT_PENDING' },
  PAYMENT_CANCELLED: { paidLate: 'PAYMENT_SUCCEEDED' },
  PAYMENT_SUCCEEDED: settled,
  REFUND_PENDING: {
    refundSucceeded: 'REFUND_SUCCEEDED',
    refundRejected: 'REFUND_REJECTED',
    refundCancelled: 'REFUND_CANCELLED',
  },
  REFUND_REJECTED: settled,
  REFUND_CANCELLED: settled,
  REFUND_SUCCEEDED: { chargebackOpened: 'CHARGEBACK_PENDING' },
  CHARGEBACK_PENDING: {
    chargebackSucceeded: 'CHARGEBACK_SUCCEEDED',
    chargebackRejected: 'CHARGEBACK_REJECTED',
    chargebackCancelled: 'CHARGEBACK_CANCELLED',
  },
  CHARGEBACK_SUCCEEDED: {},
  CHARGEBACK_REJECTED: {},
  CHARGEBACK_CANCELLED: {},
};

/** The status that an event leads to, or undefined if the table has no such transition. */
export function nextStatus(from: OrderStatus, event: OrderEvent): OrderStatus | undefined {
  return statusTable[from][event];
}

/** SUBMITTED is shown as payment pending. */
export function toDisplayStatus(status: DisplayStatus): DisplayStatus {
  return status === 'SUBMITTED' ? 'PAYMENT_PENDING' : status;
}

/** The statuses shown alike: what a filter by one of them finds. */
export function statusesDisplayedAs(status: OrderStatus): OrderStatus[] {
  return orderStatusSchema.options.filter((one) => toDisplayStatus(one) === toDisplayStatus(status));
}

/** A payment in progress: the customer waits for it, and no other may start beside it. */
export const openStatuses = ['SUBMITTED', 'PAYMENT_PENDING'] as const satisfies readonly OrderStatus[];
/** A payment that ended without money. */
export const unpaidStatuses = ['PAYMENT_FAILED', 'PAYMENT_CANCELLED'] as const satisfies readonly OrderStatus[];

const has = (list: readonly DisplayStatus[], status: DisplayStatus) => list.includes(status);

export const isOpen = (status: DisplayStatus): boolean => has(openStatuses, status);
export const isUnpaid = (status: DisplayStatus): boolean => has(unpaidStatuses, status);
