import type { PaymentAnswer, repay } from '../../contract/billing.ts';
import { withKeptPayer } from '../cards/payer.ts';
import { isOpen } from '../../contract/order-status.ts';
import { ApiRefusal, refuseInput } from '../request/api-error.ts';
import type { ContextOf } from '../request/request-context.ts';
import type { Handler } from '../request/bind.ts';
import { isLiveState } from '../db/schema/attempts.ts';
import { gatewayOf } from '../payments/chargeable.ts';
import { endOrphan } from './orphans.ts';
import { ownPurchase, type OwnPurchase } from './own-orders.ts';
import { placeRetry } from './place-order.ts';
import { newAttempt, preparePurchase } from './prepare-purchase.ts';
import { requestMark, type RepayBody } from './request-hash.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import { violatedIndex } from '../db/driver-results.ts';
import { answerForKey, currentAnswer } from './spent-key.ts';
import { takePayment } from './take-payment.ts';

type RepayContext = ContextOf<typeof repay>;

/** Pays an order again, unless it is paid, is being paid, or this key was spent on it. */
export const handleRepay: Handler<typeof repay> = async ({ body: sent }, context) => {
  const { deps, idempotencyKey } = context;
  const mark = requestMark(deps.env, 'repay', sent);
  const spent = await answerForKey(context, idempotencyKey, mark);
  if (spent) return spent;
  const { body, keepIt } = await withKeptPayer(context, sent);
  const open = await closeExpired(context, await ownPurchase(context, body.orderId));
  const purchase = wantsAnotherWay(open, body) ? await callOff(context, open, body) : open;
  if (!awaitsRetry(purchase)) return currentAnswer(purchase, deps.clock());
  if (purchase.order.planId !== body.planId) refuseInput('planId');
  try {
    const answer = await retry(context, purchase, body, mark.hash);
    await keepIt();
    return answer;
  } catch (error) {
    const index = violatedIndex(error);
    if (error instanceof ApiRefusal || index === undefined) throw error;
    // Another call was faster: with this key, or with another one for the same order.
    return (await answerForKey(context, idempotencyKey, mark)) ?? (await asItStands(context, body.orderId));
  }
};

async function retry(
  context: RepayContext,
  { order }: OwnPurchase,
  body: RepayBody,
  hash: string,
): Promise<PaymentAnswer> {
  const { deps, idempotencyKey } = context;
  const prepared = await preparePurchase(context, body);
  const attempt = newAttempt(context, order, prepared, body, { idempotencyKey, requestHash: hash });
  const placed = await placeRetry(deps.db, order, prepared.terms, attempt);
  if (!placed) return asItStands(context, body.orderId);
  const waiting = {
    ...order,
    ...prepared.terms,
    status: 'PAYMENT_PENDING' as const,
    failureCode: null,
    expiresAt: null,
  };
  return takePayment(context, { order: waiting, attempt, prepared, body });
}

/** A code whose time has passed is closed first, by what the provider says of it: it may have been paid at the end. */
async function closeExpired(context: RepayContext, purchase: OwnPurchase): Promise<OwnPurchase> {
  const { deps, user } = context;
  const { order, attempt } = purchase;
  const hasPassed = attempt.state === 'PENDING' && attempt.expiresAt !== null && attempt.expiresAt <= deps.clock();
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  if (!hasPassed || !gateway) return purchase;
  await applyGatewayResult(deps, { order, attempt, customer: user }, await gateway.inquire(attempt.id));
  return ownPurchase(context, order.orderId);
}

/** Somebody who waits for one way to pay and chooses another, or the same one anew. */
function wantsAnotherWay({ order, attempt }: OwnPurchase, body: RepayBody): boolean {
  const waits = attempt.state === 'PENDING' && isOpen(order.status);
  return waits && (body.replaceAttempt === true || attempt.methodCode !== body.methodCode);
}

/**
 * Closes the way that was chosen before at its provider, so that nobody can pay both. What the new one would be refused
 * for is refused first: a mistake in it must not cost the customer a code that works. When the provider does not close
 * it (it was paid just now, or does not answer), the order goes on as it stands. One that is gone closes nothing, and its
 * customer need not wait for it ([Note: Orphaned payments]).
 */
async function callOff(context: RepayContext, { order, attempt }: OwnPurchase, body: RepayBody): Promise<OwnPurchase> {
  const { deps, user } = context;
  await preparePurchase(context, body);
  const purchase = { order, attempt, customer: user };
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  if (gateway) await applyGatewayResult(deps, purchase, await gateway.cancel(attempt.id));
  else await endOrphan(deps, purchase, { sooner: true });
  return ownPurchase(context, order.orderId);
}

function awaitsRetry({ order, attempt }: OwnPurchase): boolean {
  return !isLiveState(attempt.state) && (order.status === 'PAYMENT_FAILED' || order.status === 'PAYMENT_PENDING');
}

async function asItStands(context: RepayContext, orderId: string): Promise<PaymentAnswer> {
  return currentAnswer(await ownPurchase(context, orderId), context.deps.clock());
}
