import type { Move, Records } from './world.ts';

const dayMs = 86_400_000;
export const graceMs = 7 * dayMs;

/** One period, and on how many devices; days of a trial are of no order. */
export interface Given {
  readonly orderId: string | null;
  readonly devices: number;
  start: number;
  end: number;
}

/** What a customer may use and until when, by our own reckoning; epoch milliseconds. */
export interface Services {
  /** the period that each order gave, in the order in which they run; what was given back is gone from here */
  periods: Given[];
  /** orders whose money was given back, or lost in a dispute */
  readonly gone: Set<string>;
  expiry: number | null;
}

/** Before anything is bought: nothing, or the days of a trial. */
export const firstServices = (trial?: Omit<Given, 'orderId'>): Services => ({
  periods: trial ? [{ orderId: null, ...trial }] : [],
  gone: new Set(),
  expiry: trial?.end ?? null,
});

/**
 * Each order adds its days once, for its own devices, when its money arrives: after what is left, or from then; in the grace
 * of a renewal after what was left. What is left of them goes with the money, and what was to follow comes that much earlier.
 */
export function reckon(
  services: Services,
  { now, moves, records }: { now: number; moves: readonly Move[]; records: Records },
): void {
  for (const { orderId, before, after } of moves) {
    if (after === 'PAYMENT_SUCCEEDED' && before !== after) add(services, orderId, records, now);
  }
  for (const { orderId } of records.orders) {
    if (services.gone.has(orderId) || !isGone(orderId, records)) continue;
    services.gone.add(orderId);
    take(services, orderId, now);
  }
}

function add(services: Services, orderId: string, { orders }: Records, now: number): void {
  const order = orders.find((one) => one.orderId === orderId);
  const paidAt = order?.paidAt ?? now;
  const usual = Math.max(services.expiry ?? 0, paidAt);
  const start = isOnCredit(services, order, paidAt) ? (services.expiry ?? usual) : usual;
  services.expiry = start + (order?.days ?? 0) * dayMs;
  services.periods.push({ orderId, devices: order?.devices ?? 0, start, end: services.expiry });
}

/** What is paid while access goes on without being paid begins where the paid days ended: seven days ago at most. */
function isOnCredit({ expiry }: Services, order: Records['orders'][number] | undefined, paidAt: number): boolean {
  return expiry !== null && order?.serviceStart === expiry && paidAt >= expiry && paidAt < expiry + graceMs;
}

function take(services: Services, orderId: string, now: number): void {
  const given = services.periods.find((period) => period.orderId === orderId);
  if (!given) return;
  const unspent = given.end - Math.max(now, given.start);
  if (unspent <= 0) return;
  for (const later of services.periods.filter((period) => period.start >= given.end)) {
    later.start -= unspent;
    later.end -= unspent;
  }
  given.end -= unspent;
  services.expiry = (services.expiry ?? 0) - unspent;
}

/** The money that paid the order was given back, a part of it with the days, or the bank has taken it for good. */
function isGone(orderId: string, { orders, ledger, refunds }: Records): boolean {
  const [paidBy] = ledger
    .filter((entry) => entry.orderId === orderId && entry.kind === 'capture')
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const own = ledger.filter((entry) => entry.attemptId === paidBy?.attemptId);
  const kept = own.reduce(
    (sum, { kind, amount }) => (kind === 'chargeback' || kind === 'return' ? sum : sum + amount),
    0,
  );
  const isRefunded =
    own.some(({ kind }) => kind === 'refund') || (paidBy?.amount !== 0 && own.length > 0 && kept === 0);
  if (refunds.some((part) => part.orderId === orderId && part.endsAccess && part.state === 'SUCCEEDED')) return true;
  const status = orders.find((order) => order.orderId === orderId)?.status;
  return isRefunded || status === 'CHARGEBACK_SUCCEEDED';
}
