import type { Database } from '#server/db/connect.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { GatewayAnswer } from '#server/payments/gateway.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import { endOrphan, isOrphan } from './orphans.ts';
import { cancelUnwanted } from './record-outcome.ts';

type GiveUpDeps = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'limitMetrics' | 'gateways' | 'sms'
>;

/**
 * Ends an open order that nobody wants any more. The provider closes the attempt's key first. So a call for the money that is still on
 * its way to it finds the key closed and takes nothing; and money that comes all the same pays the order late.
 * What is written `beside` is written with its end, or not at all.
 * - `changed`: it did not wait any more as it was seen to; look at it again.
 * - `paid`: it was paid just before.
 * - `uncertain`: its provider cannot say that it never will be paid; nothing is changed.
 */
export async function cancelUnpaidOrder(
  deps: GiveUpDeps,
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

/** A code that has run out is asked about, too: it may have been paid at the last moment. */
async function closeAttempt({ gateways, log }: GiveUpDeps, { attempt }: Purchase): Promise<GatewayAnswer> {
  // what a coupon pays in full is known to no provider, unless a card is being kept there
  const isNobodys = attempt.amount === 0 && attempt.providerRef === null;
  if (attempt.state === 'FAILED' || attempt.state === 'ORPHANED' || isNobodys) return { state: 'failed' };
  const gateway = gatewayOf(gateways, attempt.gateway);
  if (gateway) return gateway.cancel(attempt.id);
  if (attempt.state === 'EXPIRED') return { state: 'expired' };
  log.error({ attemptId: attempt.id, gateway: attempt.gateway }, 'nobody can be asked to close a payment');
  return { state: 'unknown' };
}
