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
 * [Note: Orphaned payments] A payment is orphaned when the adapter of its gateway is installed no longer: its key was
 * taken out of the settings, or a sandbox was switched off. Nobody can be asked about it, no notice of its provider can
 * be believed, and a code on the page would have people pay where nobody looks. So it ends. Its order has failed with
 * `methodUnsupported`, its coupon is free, and the customer can pay in another way.
 *
 * Whether it was charged stays unknown, and nothing says that it was not: the attempt is ORPHANED and not FAILED,
 * `operator -- orphans` lists it for a person who can look into the provider's own books, and the customer is told that
 * a charge would be credited or given back. When the adapter is back, the provider is asked to close each of them
 * (`reclaim`); money that it took, or that a notice then tells of, pays the order, or is given back as a second payment
 * of it.
 *
 * A payment is left alone for its first minutes: while processes are exchanged one by one, another one may have the
 * adapter still, and a call may be on its way. Only its own customer, who chooses another way, ends one sooner.
 */
export const orphanedAfterMs = 10 * 60_000;

/** Ends a payment whose gateway is gone, when it is old enough; `sooner` when its customer has given it up. */
export async function endOrphan(deps: OrphanDeps, purchase: Purchase, { sooner = false } = {}): Promise<boolean> {
  const { clock, log } = deps;
  const { id, gateway, amount, createdAt } = purchase.attempt;
  // a coupon paid for all of it, so nobody was to be asked in the first place
  if (amount === 0) return applyGatewayResult(deps, purchase, { state: 'succeeded' });
  if (!sooner && clock() - createdAt < orphanedAfterMs) return false;
  const ended = await endUnpaid(deps, purchase, {}, (tx) => recordOrphan(tx, id, clock()));
  if (ended) log.error({ attemptId: id, gateway }, 'a payment was given up: its gateway is installed no longer');
  return ended;
}

/** Asks a gateway that is back to close an orphan, and writes how it ended. */
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

/** Whether nobody can be asked about a payment. */
export function isOrphan({ gateways }: Pick<Deps, 'gateways'>, { gateway }: { readonly gateway: string }): boolean {
  return gatewayOf(gateways, gateway) === undefined;
}
