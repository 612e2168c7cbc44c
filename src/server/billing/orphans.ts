import { and, eq } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { PaymentGateway } from '#server/payments/gateway.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import { recordOrphan } from './record-outcome.ts';
import { applyGatewayResult, endUnpaid } from './apply-gateway-result.ts';

type OrphanDeps = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'limitMetrics' | 'sms' | 'gateways'
>;

/**
 * A payment is orphaned when its gateway's adapter is no longer installed, because its key was removed from the
 * settings or the sandbox was switched off. Its state cannot be requested, no notice can be verified, and its code must
 * not be paid any more. So its order fails with `methodUnsupported`, the coupon is released, and the customer can pay
 * with another method.
 * Whether it was charged is unknown, so the attempt is ORPHANED, not FAILED: `operator -- orphans` lists it for a check
 * in the provider's own records, and the customer reads that a charge would be credited or refunded. When the adapter
 * is back, `reclaim` closes it at the provider; money that was charged pays the order, or is refunded as a duplicate.
 * The first minutes are excluded: in a rolling deploy another process may still have the adapter, and a call may be
 * running. Only the customer, by choosing another method, ends one sooner.
 */
export const orphanedAfterMs = 10 * 60_000;

/** Ends a payment whose gateway is gone, if it is old enough; `sooner` when the customer has cancelled it. */
export async function endOrphan(deps: OrphanDeps, purchase: Purchase, { sooner = false } = {}): Promise<boolean> {
  const { clock, log } = deps;
  const { id, gateway, amount, createdAt } = purchase.attempt;
  // a coupon paid all of it, so no provider was involved
  if (amount === 0) return applyGatewayResult(deps, purchase, { state: 'succeeded' });
  if (!sooner && clock() - createdAt < orphanedAfterMs) return false;
  const ended = await endUnpaid(deps, purchase, {}, (tx) => recordOrphan(tx, id, clock()));
  if (ended) log.error({ attemptId: id, gateway }, 'a payment was given up: its gateway is installed no longer');
  return ended;
}

/** Closes an orphaned payment at a gateway that is installed again, and stores the result. */
export async function reclaim(deps: OrphanDeps, purchase: Purchase, gateway: PaymentGateway): Promise<void> {
  const { id } = purchase.attempt;
  const answer = await gateway.cancel(id);
  if (answer.state === 'succeeded') await applyGatewayResult(deps, purchase, answer);
  if (answer.state !== 'failed' && answer.state !== 'expired') return;
  await deps.db
    .update(attempts)
    .set({ state: 'FAILED', updatedAt: deps.clock() })
    .where(and(eq(attempts.id, id), eq(attempts.state, 'ORPHANED')));
}

/** Whether the gateway of a payment is not installed. */
export function isOrphan({ gateways }: Pick<Deps, 'gateways'>, { gateway }: { readonly gateway: string }): boolean {
  return gatewayOf(gateways, gateway) === undefined;
}
