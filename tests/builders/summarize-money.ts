import type { Shop } from './a-shop.ts';

/** The payment state of an order: its status, its attempts in the order of creation, and its ledger entries. */
export async function summarizeMoney(shop: Shop, orderId: string) {
  const { orders, attempts, ledger, charges } = await shop.books();
  const tries = attempts.filter((attempt) => attempt.orderId === orderId);
  const keys = new Set(tries.map((attempt) => attempt.id));
  const entries = ledger.filter((entry) => entry.orderId === orderId);
  return {
    status: orders.find((order) => order.orderId === orderId)?.status,
    tries: tries.toSorted((a, b) => a.createdAt - b.createdAt).map((attempt) => attempt.state),
    captures: entries.filter((entry) => entry.kind === 'capture').length,
    /** the balance of the order in the ledger, in minor units */
    held: entries.reduce((sum, entry) => sum + entry.amount, 0),
    /** the amount that the bank took and did not refund, in minor units */
    taken: charges
      .filter((charge) => keys.has(charge.key) && charge.status === 'paid')
      .reduce((sum, charge) => sum + charge.amount, 0),
  };
}

/** The result of `moneyOf` for an order that was paid once; `price` in minor units. */
export const paidOnce = (price: number) => ({ status: 'PAYMENT_SUCCEEDED', captures: 1, held: price, taken: price });
export const unpaid = { captures: 0, held: 0, taken: 0 };

/** Advances the clock and delivers the due notices, with their repeats. */
export async function advanceAndDeliver(shop: Shop, afterMs = 0): Promise<void> {
  await shop.deliver(afterMs);
  await shop.deliver(300);
}
