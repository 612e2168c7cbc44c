import type { Shop } from './a-shop.ts';

/** How one order stands: its status, its tries in the order of their making, and what the books hold of it. */
export async function summarizeMoney(shop: Shop, orderId: string) {
  const { orders, attempts, ledger, charges } = await shop.books();
  const tries = attempts.filter((attempt) => attempt.orderId === orderId);
  const keys = new Set(tries.map((attempt) => attempt.id));
  const entries = ledger.filter((entry) => entry.orderId === orderId);
  return {
    status: orders.find((order) => order.orderId === orderId)?.status,
    tries: tries.toSorted((a, b) => a.createdAt - b.createdAt).map((attempt) => attempt.state),
    captures: entries.filter((entry) => entry.kind === 'capture').length,
    /** what the shop holds, in minor units */
    held: entries.reduce((sum, entry) => sum + entry.amount, 0),
    /** what the bank took and has not given back, in minor units */
    taken: charges
      .filter((charge) => keys.has(charge.key) && charge.status === 'paid')
      .reduce((sum, charge) => sum + charge.amount, 0),
  };
}

/** What `moneyOf` says of an order that is paid by one payment; `price` in minor units. */
export const paidOnce = (price: number) => ({ status: 'PAYMENT_SUCCEEDED', captures: 1, held: price, taken: price });
export const unpaid = { captures: 0, held: 0, taken: 0 };

/** Lets time pass and what happens in it be told, with the repeat that follows. */
export async function advanceAndDeliver(shop: Shop, afterMs = 0): Promise<void> {
  await shop.deliver(afterMs);
  await shop.deliver(300);
}
