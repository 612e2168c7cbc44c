import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Order } from '#contract/order.ts';
import { toDisplayStatus, type DisplayStatus } from '#contract/order-status.ts';

type StatusTone = 'neutral' | 'success' | 'warning' | 'danger';
interface StatusLabel {
  readonly label: MessageDescriptor;
  readonly tone: StatusTone;
}

/** The label of each status, the same everywhere. */
const words = {
  NETWORK_ERROR: { label: msg`Network error`, tone: 'warning' },
  SUBMITTED: { label: msg`Payment pending`, tone: 'warning' },
  PAYMENT_PENDING: { label: msg`Payment pending`, tone: 'warning' },
  PAYMENT_SUCCEEDED: { label: msg`Paid`, tone: 'success' },
  PAYMENT_FAILED: { label: msg`Payment failed`, tone: 'danger' },
  PAYMENT_CANCELLED: { label: msg`Payment cancelled`, tone: 'neutral' },
  REFUND_PENDING: { label: msg`Refund pending`, tone: 'warning' },
  REFUND_SUCCEEDED: { label: msg`Refunded`, tone: 'neutral' },
  REFUND_REJECTED: { label: msg`Refund rejected`, tone: 'danger' },
  REFUND_CANCELLED: { label: msg`Refund cancelled`, tone: 'neutral' },
  CHARGEBACK_PENDING: { label: msg`Chargeback pending`, tone: 'warning' },
  CHARGEBACK_SUCCEEDED: { label: msg`Chargeback succeeded`, tone: 'neutral' },
  CHARGEBACK_REJECTED: { label: msg`Chargeback rejected`, tone: 'danger' },
  CHARGEBACK_CANCELLED: { label: msg`Chargeback cancelled`, tone: 'neutral' },
} satisfies Record<DisplayStatus, StatusLabel>;

/** The label of a customer's own order, which has more states than its status. */
export function orderStatusLabel({ status, underReview, rejection, refunded }: OrderStanding): StatusLabel {
  if (rejection) return rejected;
  if (refunded && status === 'PAYMENT_SUCCEEDED') return partlyRefunded;
  return underReview ? checked : statusLabel(status);
}

type OrderStanding = Pick<Order, 'status' | 'underReview'> & Partial<Pick<Order, 'rejection' | 'refunded'>>;

const checked: StatusLabel = { label: msg`Under review`, tone: 'warning' };
const partlyRefunded: StatusLabel = { label: msg`Partially refunded`, tone: 'success' };
const rejected: StatusLabel = { label: msg`Proof rejected`, tone: 'danger' };

export function statusLabel(status: DisplayStatus): StatusLabel {
  return words[toDisplayStatus(status)];
}
