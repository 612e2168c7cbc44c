import type { Database } from '#server/db/connect.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { GatewayAnswer } from '#server/payments/gateway.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import { endOrphan, isOrphan } from './orphans.ts';
import { cancelUnwanted } from './record-outcome.ts';

type CancelDeps = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'limitMetrics' | 'gateways' | 'sms'
>;

/**
 * Ends an open order. The provider closes the attempt's key first: a charge that is still on its way finds the key
 * closed and takes nothing, and money that arrives all the same pays the order late. `beside` is written in the same
 * transaction.
 * - `changed`: the order changed meanwhile; read it again.
 * - `paid`: it was paid just before.
 * - `uncertain`: the provider cannot rule out a payment; nothing has changed.
 */
export async function cancelUnpaidOrder(
  deps: CancelDeps,
  purchase: Purchase,
  beside?: (tx: Database) => Promise<void>,
): Promise<'cancelled' | 'changed' | 'paid' | 'uncertain'> {
  if (isOrphan(deps, purchase.attempt) && purchase.attempt.state === 'PENDING') {
    await endOrphan(deps, purchase, { sooner: true });
    return 'changed';
  }
  const answer = await closeAttempt(deps, purchase);
  switch (answer.state) {
    case 'failed':
    case 'expired': {
      const facts = { failure: answer.failure ?? 'paymentCancelled', now: deps.clock() } as const;
      const end = async (tx: Database) => {
        const isEnded = await cancelUnwanted(tx, purchase, facts);
        if (isEnded) await beside?.(tx);
        return isEnded;
      };
      return (await (beside ? deps.db.transaction(end) : end(deps.db))) ? 'cancelled' : 'changed';
    }
    case 'succeeded':
      await applyGatewayResult(deps, purchase, answer);
      return 'paid';
    case 'pending':
    case 'unknown':
      return 'uncertain';
  }
}

/** Also closes a code that has expired: it may have been paid in its last second. */
async function closeAttempt({ gateways, log }: CancelDeps, { attempt }: Purchase): Promise<GatewayAnswer> {
  // an order that a coupon pays in full is at no provider, unless the provider saves a card for it
  const isAtNoProvider = attempt.amount === 0 && attempt.providerRef === null;
  if (attempt.state === 'FAILED' || attempt.state === 'ORPHANED' || isAtNoProvider) return { state: 'failed' };
  const gateway = gatewayOf(gateways, attempt.gateway);
  if (gateway) return gateway.cancel(attempt.id);
  if (attempt.state === 'EXPIRED') return { state: 'expired' };
  log.error({ attemptId: attempt.id, gateway: attempt.gateway }, 'nobody can be asked to close a payment');
  return { state: 'unknown' };
}
