import { isOpen, type OrderStatus } from '#contract/order-status.ts';
import type { Books } from './a-shop.ts';

type Entry = Books['ledger'][number];
type Order = Books['orders'][number];
type Ledgered = Pick<Books, 'orders' | 'attempts' | 'ledger'>;

/**
 * What is wrong in the books, in words; empty when every order's money is what its status says:
 * nothing moved for what is not paid; all of it is here while paid, or while a refund is asked for, refused or given up;
 * all of it is gone when refunded or disputed, and back when the dispute was won.
 *
 * Money of an attempt that did not pay its order (it was paid twice) may be here or given back, and moves no status.
 */
export function unbalanced({ orders, attempts, ledger }: Ledgered): string[] {
  const known = new Set(orders.map((order) => order.orderId));
  return [
    ...ledger.filter((entry) => !known.has(entry.orderId)).map((entry) => `entry ${entry.id} is of no order`),
    ...ledger.flatMap((entry) => wrongEntry(entry, attempts)),
    ...attempts.flatMap((attempt) => wrongAttempt(attempt, entriesOf(ledger, attempt.id))),
    ...orders.flatMap((order) => wrongOrder(order, ledger)),
  ];
}

/** Orders that were paid twice and whose second payment has not been given back yet. */
export function paidTwice({ orders, ledger }: Ledgered): string[] {
  return orders.flatMap(({ orderId }) => {
    const [, ...later] = capturesOf(ledger, orderId);
    return later.some((capture) => sumOf(entriesOf(ledger, capture.attemptId)) > 0) ? [orderId] : [];
  });
}

const isPart = (entry: Pick<Entry, 'kind'>) => entry.kind.startsWith('part ');
/** What went back by the shop or its provider's desk, whole or in parts; positive. */
const givenBack = (entries: readonly Entry[]) =>
  -sumOf(entries.filter((entry) => entry.kind === 'refund' || isPart(entry)));

function wrongEntry(entry: Entry, attempts: Books['attempts']): string[] {
  const attempt = attempts.find((one) => one.id === entry.attemptId);
  if (!attempt) return [`entry ${entry.id} is of no attempt`];
  return [
    ...complain(attempt.orderId === entry.orderId, `entry ${entry.id} names another order than its attempt`),
    ...complain(attempt.brand === entry.brand, `entry ${entry.id} names another brand than its attempt`),
    ...complain(attempt.currency === entry.currency, `entry ${entry.id} is in ${entry.currency}`),
    ...complain(fits(entry, attempt.amount), `${entry.kind} of ${entry.amount} where ${attempt.amount} was paid`),
  ];
}

/** A capture is all that was asked for; what leaves is at most that, and a part is never nothing. */
function fits({ kind, amount, ...entry }: Entry, paid: number): boolean {
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
    ...complain(has('capture') || kinds.length === 0, `attempt ${id} gave back what it never took: ${kinds.join()}`),
    ...complain(has('chargeback') || !has('return'), `attempt ${id} got back what was never disputed`),
    ...complain(
      !has('return') || amountOf('return') === -amountOf('chargeback'),
      `attempt ${id} got back another amount`,
    ),
    ...complain(givenBack(entries) <= amount, `attempt ${id} gave back ${givenBack(entries)} of ${amount}`),
    ...complain(!has('refund') || givenBack(entries) === amount, `attempt ${id} was refunded, and not all of it`),
  ];
}

function wrongOrder(order: Order, ledger: readonly Entry[]): string[] {
  const { orderId, status } = order;
  const [first] = capturesOf(ledger, orderId);
  const isPaid = !isOpen(status) && status !== 'PAYMENT_FAILED' && status !== 'PAYMENT_CANCELLED';
  if (!first) return complain(!isPaid && order.paidAt === null, `${orderId} is ${status} and nothing was captured`);
  const entries = entriesOf(ledger, first.attemptId);
  // parts stand beside any status; when they are all of it, they are its refund
  const inParts = entries.some(isPart) && givenBack(entries) === first.amount;
  const plain = entries.filter((entry) => !isPart(entry)).map((entry) => entry.kind);
  const kinds: Entry['kind'][] = inParts && !plain.includes('refund') ? [...plain, 'refund'] : plain;
  const [expected, mayBe] = expectedKinds[status] ?? [undefined, []];
  const isNotified =
    expected?.every((kind) => kinds.includes(kind)) && kinds.every((kind) => [...expected, ...mayBe].includes(kind));
  return [
    ...complain(order.refunded === givenBack(entries), `${orderId} says that ${order.refunded} went back`),
    ...complain(isNotified ?? false, `${orderId} is ${status} and its books say ${kinds.join()}`),
    ...complain(
      order.total === first.amount && order.currency === first.currency,
      `${orderId} says ${order.total} ${order.currency}, and ${first.amount} ${first.currency} was paid`,
    ),
    ...complain(order.paidAt !== null && order.serviceEnd !== null, `${orderId} is ${status} without its service`),
  ];
}

const here = [['capture'], []] as const;
const disputed = [['capture', 'chargeback'], ['refund']] as const;
const won = [['capture', 'chargeback', 'return'], ['refund']] as const;

/** Entries that an order of this status has, and those that it may have: a bank also disputes what was refunded. */
const expectedKinds: Partial<Record<OrderStatus, readonly [readonly Entry['kind'][], readonly Entry['kind'][]]>> = {
  PAYMENT_SUCCEEDED: here,
  REFUND_PENDING: here,
  REFUND_REJECTED: here,
  REFUND_CANCELLED: here,
  REFUND_SUCCEEDED: [['capture', 'refund'], []],
  CHARGEBACK_PENDING: disputed,
  CHARGEBACK_SUCCEEDED: disputed,
  CHARGEBACK_REJECTED: won,
  CHARGEBACK_CANCELLED: won,
};

function entriesOf(ledger: readonly Entry[], attemptId: string): Entry[] {
  return ledger.filter((entry) => entry.attemptId === attemptId);
}

/** The first one paid the order: the job that gives the others back sorts them the same way. */
function capturesOf(ledger: readonly Entry[], orderId: string): Entry[] {
  return ledger
    .filter((entry) => entry.orderId === orderId && entry.kind === 'capture')
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

function sumOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + entry.amount, 0);
}

function complain(isRight: boolean, words: string): string[] {
  return isRight ? [] : [words];
}
