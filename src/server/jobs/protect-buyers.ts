import { and, eq, isNotNull, lt, or } from 'drizzle-orm';
import { sealBuyer } from '#server/billing/check-payer.ts';
import { attempts, isUnprotectedAttempt } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Deps } from '#server/deps.ts';
import { runInBatches } from './run-concurrently.ts';

const batch = 100;
/** How long the key of an earlier version is compared with its request. */
const comparedMs = 2 * 24 * 60 * 60_000;

type ProtectDeps = Pick<Deps, 'db' | 'env' | 'random' | 'clock'>;

/**
 * Encrypts payers that earlier versions stored in clear text, and clears their unkeyed hashes of payment requests. It
 * costs nothing once all are done, because partial indexes find such rows. Returns how many rows were changed.
 */
export async function protectBuyers(deps: ProtectDeps, stopping?: AbortSignal): Promise<number> {
  const ofOrders = await runInBatches({ full: batch, stopping }, () => protectOrders(deps));
  return ofOrders + (await runInBatches({ full: batch, stopping }, () => protectAttempts(deps)));
}

function protectOrders(deps: ProtectDeps): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const { orderId, brand, uid, buyer } = orders;
    const rows = await tx
      .select({ orderId, brand, uid, buyer })
      .from(orders)
      .where(isNotNull(buyer))
      .limit(batch)
      .for('update', { skipLocked: true });
    for (const row of rows) {
      const sealed = { buyer: null, buyerSealed: sealBuyer(deps, row, row.buyer) };
      await tx.update(orders).set(sealed).where(eq(orderId, row.orderId));
    }
    return rows.length;
  });
}

function protectAttempts(deps: ProtectDeps): Promise<number> {
  const before = deps.clock() - comparedMs;
  return deps.db.transaction(async (tx) => {
    const { id, brand, uid, buyer, updatedAt } = attempts;
    const rows = await tx
      .select({ id, brand, uid, buyer, updatedAt })
      .from(attempts)
      .where(and(isUnprotectedAttempt(attempts), or(isNotNull(buyer), lt(updatedAt, before))))
      .limit(batch)
      .for('update', { skipLocked: true });
    for (const row of rows) {
      const sealed = { buyer: null, ...(row.buyer && { buyerSealed: sealBuyer(deps, row, row.buyer) }) };
      const cleared = row.updatedAt < before ? { requestHash: '' } : {};
      await tx
        .update(attempts)
        .set({ ...sealed, ...cleared })
        .where(eq(id, row.id));
    }
    return rows.length;
  });
}
