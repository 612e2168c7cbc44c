import { isOpen, type OrderStatus } from '#contract/order-status.ts';
import type { Books } from './a-shop.ts';

type Entry = Books['ledger'][number];
type Order = Books['orders'][number];
type Ledgered = Pick<Books, 'orders' | 'attempts' | 'ledger'>;

/**
 * Returns the errors of the books; empty when the ledger of every order matches its status. An unpaid order has no
 * entries; a refund or a lost dispute balances the payment, a won dispute restores it. A second payment of an order may
 * be present or refunded; it does not change the status.
 */
export function unbalanced({ orders, attempts, ledger }: Ledgered): string[] {
  const known = new Set(orders.map((order) => order.orderId));
  return [
    ...ledger.filter((entry) => !known.has(entry.orderId)).map((entry) => `entry ${entry.id} has no order`),
    ...ledger.flatMap((entry) => wrongEntry(entry, attempts)),
    ...attempts.flatMap((attempt) => wrongAttempt(attempt, entriesOf(ledger, attempt.id))),
    ...orders.flatMap((order) => wrongOrder(order, ledger)),
  ];
}

/** Orders that were paid twice and whose second payment is not refunded yet. */
export function paidTwice({ orders, ledger }: Ledgered): string[] {
  return orders.flatMap(({ orderId }) => {
    const [, ...later] = capturesOf(ledger, orderId);
    return later.some((capture) => sumOf(entriesOf(ledger, capture.attemptId)) > 0) ? [orderId] : [];
  });
}

const isPart = (entry: Pick<Entry, 'kind'>) => entry.kind.startsWith('part ');
/** The refunded amount, in full or in parts, by the shop or in the provider's dashboard; positive. */
const refundedAmount = (entries: readonly Entry[]) =>
  -sumOf(entries.filter((entry) => entry.kind === 'refund' || isPart(entry)));

function wrongEntry(entry: Entry, attempts: Books['attempts']): string[] {
  const attempt = attempts.find((one) => one.id === entry.attemptId);
  if (!attempt) return [`entry ${entry.id} has no attempt`];
  return [
    ...complain(attempt.orderId === entry.orderId, `entry ${entry.id} names another order than its attempt`),
    ...complain(attempt.brand === entry.brand, `entry ${entry.id} names another brand than its attempt`),
    ...complain(attempt.currency === entry.currency, `entry ${entry.id} is in ${entry.currency}`),
    ...complain(
      hasValidAmount(entry, attempt.amount),
      `${entry.kind} of ${entry.amount} where ${attempt.amount} was paid`,
    ),
  ];
}

/** A capture is the whole amount; a refund is at most that, and a partial refund is never zero. */
function hasValidAmount({ kind, amount, ...entry }: Entry, paid: number): boolean {
  if (kind === 'capture') return amount === paid;
  if (kind === 'return') return amount >= 0 && amount <= paid;
  return amount <= 0 && -amount <= paid && (!isPart({ kind, ...entry }) || amount < 0);
}

function wrongAttempt({ id, state, amount }: Books['attempts'][number], entries: readonly Entry[]): string[] {
  const kinds = entries.map((entry) => entry.kind);
  const has = (kind: Entry['kind']) => kinds.includes(kind);
  const amountOf = (kind: Entry['kind']) => sumOf(entries.filter((entry) => entry.kind === kind));
  return [
    ...complain(new Set(kinds).size === kinds.length, `attempt ${id} has a kind of entry twice: ${kinds.join()}`),
    ...complain(
      (state === 'SUCCEEDED') === has('capture'),
      `attempt ${id} is ${state} with ${kinds.join() || 'no entry'}`,
    ),
    ...complain(has('capture') || kinds.length === 0, `attempt ${id} was refunded without a capture: ${kinds.join()}`),
    ...complain(has('chargeback') || !has('return'), `attempt ${id} has a return without a chargeback`),
    ...complain(
      !has('return') || amountOf('return') === -amountOf('chargeback'),
      `attempt ${id} has a return of another amount than its chargeback`,
    ),
    ...complain(refundedAmount(entries) <= amount, `attempt ${id} refunded ${refundedAmount(entries)} of ${amount}`),
    ...complain(!has('refund') || refundedAmount(entries) === amount, `attempt ${id} was not refunded in full`),
  ];
}

function wrongOrder(order: Order, ledger: readonly Entry[]): string[] {
  const { orderId, status } = order;
  const [first] = capturesOf(ledger, orderId);
  const isPaid = !isOpen(status) && status !== 'PAYMENT_FAILED' && status !== 'PAYMENT_CANCELLED';
  if (!first) return complain(!isPaid && order.paidAt === null, `${orderId} is ${status} without a capture`);
  const entries = entriesOf(ledger, first.attemptId);
  // partial refunds fit any status; together they can be the full refund
  const inParts = entries.some(isPart) && refundedAmount(entries) === first.amount;
  const plain = entries.filter((entry) => !isPart(entry)).map((entry) => entry.kind);
  const kinds: Entry['kind'][] = inParts && !plain.includes('refund') ? [...plain, 'refund'] : plain;
  const [expected, optional] = expectedKinds[status] ?? [undefined, []];
  const matchesStatus =
    expected?.every((kind) => kinds.includes(kind)) && kinds.every((kind) => [...expected, ...optional].includes(kind));
  return [
    ...complain(order.refunded === refundedAmount(entries), `${orderId} has ${order.refunded} as its refunded amount`),
    ...complain(matchesStatus ?? false, `${orderId} is ${status} with the entries ${kinds.join()}`),
    ...complain(
      order.total === first.amount && order.currency === first.currency,
      `${orderId} costs ${order.total} ${order.currency}, but ${first.amount} ${first.currency} was paid`,
    ),
    ...complain(order.paidAt !== null && order.serviceEnd !== null, `${orderId} is ${status} without its service`),
  ];
}

const captured = [['capture'], []] as const;
const disputed = [['capture', 'chargeback'], ['refund']] as const;
const won = [['capture', 'chargeback', 'return'], ['refund']] as const;

/** The required and the optional entries of each status: a bank also disputes payments that were refunded. */
const expectedKinds: Partial<Record<OrderStatus, readonly [readonly Entry['kind'][], readonly Entry['kind'][]]>> = {
  PAYMENT_SUCCEEDED: captured,
  REFUND_PENDING: captured,
  REFUND_REJECTED: captured,
  REFUND_CANCELLED: captured,
  REFUND_SUCCEEDED: [['capture', 'refund'], []],
  CHARGEBACK_PENDING: disputed,
  CHARGEBACK_SUCCEEDED: disputed,
  CHARGEBACK_REJECTED: won,
  CHARGEBACK_CANCELLED: won,
};

function entriesOf(ledger: readonly Entry[], attemptId: string): Entry[] {
  return ledger.filter((entry) => entry.attemptId === attemptId);
}

/** The first capture paid the order. The job that refunds the others uses the same order. */
function capturesOf(ledger: readonly Entry[], orderId: string): Entry[] {
  return ledger
    .filter((entry) => entry.orderId === orderId && entry.kind === 'capture')
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + entry.amount, 0);
}

function complain(isRight: boolean, message: string): string[] {
  return isRight ? [] : [message];
}
