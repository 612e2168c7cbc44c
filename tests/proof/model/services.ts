import type { Move, Records } from './world.ts';

const dayMs = 86_400_000;

/** What a customer may use and until when, by our own reckoning; epoch milliseconds. */
export interface Services {
  /** the period that each order gave, in the order in which they run; what was given back is gone from here */
  periods: { readonly orderId: string; start: number; end: number }[];
  /** orders whose money was given back, or lost in a dispute */
  readonly gone: Set<string>;
  expiry: number | null;
}

export const noServices = (): Services => ({ periods: [], gone: new Set(), expiry: null });

/**
 * Each order adds its days once, when its money arrives: after what is left, or from now. What is left of them goes with
 * the money, and what was to follow comes that much earlier.
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
  const days = orders.find((order) => order.orderId === orderId)?.days ?? 0;
  const start = Math.max(services.expiry ?? 0, now);
  services.expiry = start + days * dayMs;
  services.periods.push({ orderId, start, end: services.expiry });
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

/** The money that paid the order was given back, or the bank has taken it for good. */
function isGone(orderId: string, { orders, ledger }: Records): boolean {
  const [paidBy] = ledger
    .filter((entry) => entry.orderId === orderId && entry.kind === 'capture')
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const isRefunded = ledger.some((entry) => entry.kind === 'refund' && entry.attemptId === paidBy?.attemptId);
  const status = orders.find((order) => order.orderId === orderId)?.status;
  return isRefunded || status === 'CHARGEBACK_SUCCEEDED';
}
