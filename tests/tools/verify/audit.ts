import { isOpen } from '#contract/order-status.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { ledger } from '#server/db/schema/ledger.ts';
import { orders } from '#server/db/schema/orders.ts';
import { users } from '#server/db/schema/users.ts';
import { paidTwice, unbalanced } from '#tests/builders/unbalanced-orders.ts';
import type { Purchase } from './purchase.ts';
import { findProviderCharges, type ProviderCharge } from './provider-charges.ts';

/** All records about money, of the shop and of its providers. */
interface LedgerSnapshot {
  readonly orders: (typeof orders.$inferSelect)[];
  readonly attempts: (typeof attempts.$inferSelect)[];
  readonly ledger: (typeof ledger.$inferSelect)[];
  readonly users: { readonly uid: string; readonly expiredTime: number | null }[];
  readonly takings: readonly ProviderCharge[];
}

export async function readLedgerSnapshot(db: Database): Promise<LedgerSnapshot> {
  return {
    orders: await db.select().from(orders),
    attempts: await db.select().from(attempts),
    ledger: await db.select().from(ledger),
    users: await db.select({ uid: users.uid, expiredTime: users.expiredTime }).from(users),
    takings: await findProviderCharges(db),
  };
}

/** The result of the audit of one purchase. */
export interface Finding {
  readonly purchase: Purchase;
  readonly end: 'paid' | 'unpaid' | 'waiting' | 'unknown';
  readonly charges: number;
  readonly captures: number;
  readonly faults: readonly string[];
}

export interface Audit {
  readonly findings: readonly Finding[];
  /** errors of the books as a whole */
  readonly faults: readonly string[];
}

/** Compares the statuses that customers saw with the shop's books, and those with the providers' books. */
export function audit(purchases: readonly Purchase[], books: LedgerSnapshot): Audit {
  const findings = purchases.map((purchase) => findingOf(purchase, books));
  const known = new Set(purchases.flatMap(({ orderId }) => orderId ?? []));
  const captured = new Set(books.ledger.filter(({ kind }) => kind === 'capture').map((entry) => entry.attemptId));
  return {
    findings,
    faults: [
      ...unbalanced(books),
      ...paidTwice(books).map((orderId) => `${orderId} was paid twice and not refunded`),
      ...books.orders
        .filter(({ orderId }) => !known.has(orderId))
        .map(({ orderId }) => `no customer placed ${orderId}`),
      ...books.takings
        .filter(({ key }) => !captured.has(key))
        .map(({ key }) => `the charge ${key} is not in the ledger`),
      ...books.ledger.flatMap((entry) => notTaken(entry, books.takings)),
      ...books.users.flatMap((user) => wrongService(user, books.orders)),
    ],
  };
}

function findingOf(
  purchase: Purchase,
  { orders: all, attempts: tries, ledger: entries, takings }: LedgerSnapshot,
): Finding {
  const { orderId, told } = purchase;
  const order = all.find((one) => one.orderId === orderId);
  const own = tries.filter((attempt) => attempt.orderId === orderId);
  const charges = takings.filter(({ key }) => own.some(({ id }) => id === key)).length;
  const captures = entries.filter((entry) => entry.orderId === orderId && entry.kind === 'capture').length;
  const end = order ? endOf(order, own) : orderId === undefined ? 'unpaid' : 'unknown';
  const contradictions = [
    told.at(-1) !== undefined &&
      told.at(-1) !== order?.status &&
      `the customer saw ${told.at(-1)}, but it is ${order?.status}`,
    told.includes('PAYMENT_SUCCEEDED') && charges !== 1 && `the customer saw a paid order with ${charges} charges`,
    end === 'paid' && (charges !== 1 || captures !== 1) && `paid with ${charges} charges and ${captures} captures`,
    end !== 'paid' && (charges !== 0 || captures !== 0) && `${end} with ${charges} charges and ${captures} captures`,
    end === 'unknown' && `is unfinished: ${order?.status} with ${own.map(({ state }) => state).join(' ')}`,
    end !== purchase.end && `the customer saw ${purchase.end}, but it is ${end}`,
    end === 'paid' && !mayBePaid(purchase) && 'paid, though the payer did not agree',
    revokesSuccess(told) && `the customer saw ${told.join(', then ')}`,
  ];
  return {
    purchase,
    end,
    charges,
    captures,
    faults: [...purchase.faults, ...contradictions.filter((one) => one !== false)],
  };
}

/** A pending order is correct while its provider waits for the customer, who has left. */
function endOf({ status }: LedgerSnapshot['orders'][number], own: LedgerSnapshot['attempts']): Finding['end'] {
  if (status === 'PAYMENT_FAILED' || status === 'PAYMENT_CANCELLED') return 'unpaid';
  if (!isOpen(status)) return 'paid';
  return status === 'PAYMENT_PENDING' && own.every(({ state }) => state !== 'INTENT') ? 'waiting' : 'unknown';
}

function mayBePaid({ way, repaidBy }: Purchase): boolean {
  return way.ends === 'paid' || repaidBy?.ends === 'paid';
}

/** Whether another status followed a successful payment. */
function revokesSuccess(told: Purchase['told']): boolean {
  const first = told.indexOf('PAYMENT_SUCCEEDED');
  return first !== -1 && told.slice(first).some((status) => status !== 'PAYMENT_SUCCEEDED');
}

function notTaken(
  { kind, attemptId, amount, currency }: LedgerSnapshot['ledger'][number],
  takings: readonly ProviderCharge[],
) {
  if (kind !== 'capture') return [];
  const taking = takings.find(({ key }) => key === attemptId);
  return taking?.amount === amount && taking.currency === currency
    ? []
    : [`no provider charged the ${amount} of ${attemptId}`];
}

/** The service of a customer is exactly the days that were paid, without gaps or overlaps. */
function wrongService({ uid, expiredTime }: LedgerSnapshot['users'][number], all: LedgerSnapshot['orders']): string[] {
  const paid = all.filter((order) => order.uid === uid && order.serviceEnd !== null);
  const latest = Math.max(0, ...paid.map((order) => order.serviceEnd ?? 0));
  const starts = paid.map((order) => order.serviceStart ?? 0);
  const overlaps = new Set(starts).size !== starts.length;
  return (expiredTime ?? 0) === latest && !overlaps ? [] : [`the service of ${uid} is not the paid one`];
}
