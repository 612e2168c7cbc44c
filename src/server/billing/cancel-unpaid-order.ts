import type { Database } from '#server/db/connect.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { GatewayAnswer } from '#server/payments/gateway.ts';
import { applyGatewayResult, endOrphanedPayment } from './apply-gateway-result.ts';
import { cancelByCustomer } from './record-outcome.ts';
import type { cancelOrder } from '#contract/orders.ts';
import { isOpen } from '#contract/order-status.ts';
import type { Handler } from '#server/runtime/request/request-context.ts';
import { ownPurchase } from './orders.ts';

type CancelDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'metrics' | 'gateways' | 'sms'>;

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
  const isOrphaned = gatewayOf(deps.gateways, purchase.attempt.gateway) === undefined;
  if (isOrphaned && purchase.attempt.state === 'PENDING') {
    await endOrphanedPayment(deps, purchase, { sooner: true });
    return 'changed';
  }
  const answer = await closeAttempt(deps, purchase);
  switch (answer.state) {
    case 'failed':
    case 'expired': {
      const facts = { failure: answer.failure ?? 'paymentCancelled', now: deps.clock() } as const;
      const end = async (tx: Database) => {
        const isEnded = await cancelByCustomer(tx, purchase, facts);
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
  log.error({ attemptId: attempt.id, gateway: attempt.gateway }, 'no gateway is installed to cancel a payment');
  return { state: 'unknown' };
}

/** A provider's answer that arrives during the call changes the order; then it is tried once again. */
const rounds = 2;

/**
 * Cancels the customer's own unpaid order and frees its coupon, and returns the state of the order. The provider closes
 * the payment first ([Note: Two phases]). Orders under review are refused, because their money is on its way, and
 * renewal orders, because they end with the renewal.
 */
export const handleCancelOrder: Handler<typeof cancelOrder> = async ({ body: { orderId } }, context) => {
  for (let round = 0; round < rounds; round += 1) {
    const purchase = await ownPurchase(context, orderId);
    const { status, underReview, subscriptionId } = purchase.order;
    if (!isOpen(status)) return { orderId, status };
    if (underReview || subscriptionId !== null) return context.refuse('operationUnsupported');
    const outcome = await cancelUnpaidOrder(context.deps, { ...purchase, customer: context.user });
    if (outcome === 'uncertain') return { orderId, status };
  }
  const { order } = await ownPurchase(context, orderId);
  return { orderId, status: order.status };
};
