import type { Move, Records } from './world.ts';

const dayMs = 86_400_000;
export const graceMs = 7 * dayMs;

/** One service period with its number of devices; a trial has no order. */
export interface Given {
  readonly orderId: string | null;
  readonly devices: number;
  start: number;
  end: number;
}

/** The service of a customer, calculated independently of the shop; epoch milliseconds. */
export interface Services {
  /** the period of each order in the order in which they run, without refunded time */
  periods: Given[];
  /** orders that were refunded, or lost in a dispute */
  readonly gone: Set<string>;
  expiry: number | null;
}

/** The service before any purchase: none, or a trial. */
export const firstServices = (trial?: Omit<Given, 'orderId'>): Services => ({
  periods: trial ? [{ orderId: null, ...trial }] : [],
  gone: new Set(),
  expiry: trial?.end ?? null,
});

/**
 * Each order adds its days once, for its own devices, when it is paid: after the remaining days, or from then on; in
 * the grace period of a renewal, after the last paid day. A refund removes the remaining days, and later periods move
 * forward.
 */
export function reckon(
  services: Services,
  { now, moves, records }: { now: number; moves: readonly Move[]; records: Records },
): void {
  for (const { orderId, before, after } of moves) {
    if (after === 'PAYMENT_SUCCEEDED' && before !== after) addPeriod(services, orderId, records, now);
  }
  for (const { orderId } of records.orders) {
    if (services.gone.has(orderId) || !isGone(orderId, records)) continue;
    services.gone.add(orderId);
    removePeriod(services, orderId, now);
  }
}

function addPeriod(services: Services, orderId: string, { orders }: Records, now: number): void {
  const order = orders.find((one) => one.orderId === orderId);
  const paidAt = order?.paidAt ?? now;
  const usual = Math.max(services.expiry ?? 0, paidAt);
  const start = isInGracePeriod(services, order, paidAt) ? (services.expiry ?? usual) : usual;
  services.expiry = start + (order?.days ?? 0) * dayMs;
  services.periods.push({ orderId, devices: order?.devices ?? 0, start, end: services.expiry });
}

/** A payment in the grace period starts at the end of the paid days, at most seven days ago. */
function isInGracePeriod({ expiry }: Services, order: Records['orders'][number] | undefined, paidAt: number): boolean {
  return expiry !== null && order?.serviceStart === expiry && paidAt >= expiry && paidAt < expiry + graceMs;
}

function removePeriod(services: Services, orderId: string, now: number): void {
  const given = services.periods.find((period) => period.orderId === orderId);
  if (!given) return;
  const remaining = given.end - Math.max(now, given.start);
  if (remaining <= 0) return;
  for (const later of services.periods.filter((period) => period.start >= given.end)) {
    later.start -= remaining;
    later.end -= remaining;
  }
  given.end -= remaining;
  services.expiry = (services.expiry ?? 0) - remaining;
}

/** Whether the payment of the order was refunded, partially with its days, or lost in a dispute. */
function isGone(orderId: string, { orders, ledger, refunds }: Records): boolean {
  const [paidBy] = ledger
    .filter((entry) => entry.orderId === orderId && entry.kind === 'capture')
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const own = ledger.filter((entry) => entry.attemptId === paidBy?.attemptId);
  const unrefunded = own.reduce(
    (sum, { kind, amount }) => (kind === 'chargeback' || kind === 'return' ? sum : sum + amount),
    0,
  );
  const isRefunded =
    own.some(({ kind }) => kind === 'refund') || (paidBy?.amount !== 0 && own.length > 0 && unrefunded === 0);
  if (refunds.some((part) => part.orderId === orderId && part.endsAccess && part.state === 'SUCCEEDED')) return true;
  const status = orders.find((order) => order.orderId === orderId)?.status;
  return isRefunded || status === 'CHARGEBACK_SUCCEEDED';
}
