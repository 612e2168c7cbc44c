import type { unbindDiscountCode } from '../../contract/orders.ts';
import { isOpen } from '../../contract/order-status.ts';
import { refuse } from '../api-error.ts';
import { gatewayOf } from '../payments/chargeable.ts';
import type { GatewayAnswer } from '../payments/gateway.ts';
import type { Handler } from '../mount.ts';
import type { CustomerContext } from '../request-context.ts';
import { endOrphan, isOrphan } from './orphans.ts';
import { ownPurchase, type OwnPurchase } from './own-orders.ts';
import { isInTheWay } from './coupons.ts';
import { cancelUnwanted } from './record-outcome.ts';
import { settle } from './settle.ts';

/** An answer that comes while we ask changes what was asked about; then it is asked about once more. */
const rounds = 2;

/**
 * Frees a coupon from the customer's own open order, which cancels that order. Any coupon for a first purchase is in the
 * way of any other, so the one that is wanted may be named for the one that is held. 1003 when the order has neither,
 * when it is paid, and when its provider cannot say that it never will be; then nothing is changed.
 *
 * The provider closes the attempt's key first. So a call for the money that is still on its way to it finds the key
 * closed and takes nothing; and money that comes all the same pays the order late and takes the coupon again.
 */
export const handleUnbindDiscountCode: Handler<typeof unbindDiscountCode> = async ({ query }, context) => {
  const { orderId, discountCode } = query;
  for (let round = 0; round < rounds; round += 1) {
    const purchase = await ownPurchase(context, orderId);
    const { order } = purchase;
    const isAsked = await isInTheWay(context.deps.db, order.brand, order.discountCode, discountCode);
    if (!isAsked || order.paidAt !== null) refuse(1003);
    // a failed or cancelled order has let go of its coupon
    if (!isOpen(order.status)) return { orderId, status: order.status };
    if (isOrphan(context.deps, purchase.attempt) && purchase.attempt.state === 'PENDING') {
      await endOrphan(context.deps, { ...purchase, customer: context.user }, { sooner: true });
    } else if (await giveUp(context, purchase)) return { orderId, status: 'PAYMENT_CANCELLED' };
  }
  return refuse(1003);
};

/** True when the order is cancelled, false when it did not wait any more as it was seen to. */
async function giveUp(context: CustomerContext, purchase: OwnPurchase): Promise<boolean> {
  const { deps, user } = context;
  const answer = await closeAttempt(context, purchase);
  switch (answer.state) {
    case 'failed':
    case 'expired':
      return cancelUnwanted(deps.db, purchase, { failureCode: answer.failureCode ?? 2007, now: deps.clock() });
    case 'succeeded':
      await settle(deps, { ...purchase, customer: user }, answer);
      return refuse(1003);
    case 'pending':
    case 'unknown':
      return refuse(1003);
  }
}

/** A code that has run out is asked about, too: it may have been paid at the last moment. */
async function closeAttempt({ deps, traceId }: CustomerContext, { attempt }: OwnPurchase): Promise<GatewayAnswer> {
  // what a coupon pays in full is known to no provider
  if (attempt.state === 'FAILED' || attempt.state === 'ORPHANED' || attempt.amount === 0) return { state: 'failed' };
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  if (gateway) return gateway.cancel(attempt.id);
  if (attempt.state === 'EXPIRED') return { state: 'expired' };
  deps.log.error(
    { attemptId: attempt.id, gateway: attempt.gateway, traceId },
    'nobody can be asked to close a payment',
  );
  return { state: 'unknown' };
}
