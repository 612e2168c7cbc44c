import { and, eq } from 'drizzle-orm';
import type { PaymentAnswer } from '../../contract/billing.ts';
import type { Finisher, NextStep } from '../../contract/next-step.ts';
import { isOpen } from '../../contract/order-status.ts';
import type { FinishedPayment } from '../../contract/payment-steps.ts';
import { refuse } from '../api-error.ts';
import { orders } from '../db/schema.ts';
import { gatewayOf } from '../payments/chargeable.ts';
import type { GatewayAct } from '../payments/gateway.ts';
import type { CustomerContext, RequestContext } from '../request-context.ts';
import { newestPurchase, ownPurchase, type OwnPurchase } from './own-orders.ts';
import { nextStepOf, publicFace } from './payment-state.ts';
import { findPurchase } from './purchase-rows.ts';
import { settle } from './settle.ts';
import { currentAnswer } from './spent-key.ts';

/** The step that a payment waits at, also when its time has passed; undefined when it waits no longer. */
export function waitingStep({ order, attempt }: OwnPurchase): NextStep | undefined {
  return attempt.state === 'PENDING' && isOpen(order.status) ? (attempt.next ?? undefined) : undefined;
}

/**
 * Does something about the customer's own payment and answers how it stands then ([Note: Payment steps]). A payment
 * that has ended is told as it ended, whatever was to be done; 4598 when it does not wait for this act.
 */
export async function actOnOwn(
  context: CustomerContext,
  orderId: string,
  { accepts, act }: { accepts: (step: NextStep) => boolean; act: GatewayAct },
): Promise<PaymentAnswer> {
  const { deps } = context;
  const purchase = await ownPurchase(context, orderId);
  if (!isOpen(purchase.order.status)) return currentAnswer(purchase, deps.clock());
  const step = waitingStep(purchase);
  if (!step || !accepts(step)) refuse(4598);
  const refusal = await tellGateway(context, purchase, act);
  if (refusal) refuse(refusal.code, { ...refusal.params, orderId });
  return currentAnswer(await ownPurchase(context, orderId), deps.clock());
}

/** Finishes the payment behind a result token, when its payer has approved it at this provider. 1040 for no token. */
export async function finishByToken(
  context: RequestContext,
  token: string,
  finisher: Finisher,
): Promise<FinishedPayment> {
  const { deps, brand } = context;
  const ofToken = and(eq(orders.brand, brand.code), eq(orders.resultToken, token));
  const purchase = (await newestPurchase(deps.db, ofToken)) ?? refuse(1040);
  const step = waitingStep(purchase);
  if (step?.type === 'redirect' && step.finish === finisher) await tellGateway(context, purchase, { type: 'finish' });
  const now = (await newestPurchase(deps.db, ofToken)) ?? purchase;
  const next = nextStepOf(now, deps.clock());
  return { ...publicFace(now.order, context), next: next.type === 'redirect' ? next : { type: 'none' } };
}

/** Tells the gateway and writes its answer; an answer that does not come changes nothing, and the job asks again. */
async function tellGateway({ deps, traceId }: RequestContext, { attempt }: OwnPurchase, act: GatewayAct) {
  const purchase = await findPurchase(deps.db, attempt.id);
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  if (!purchase || !gateway) {
    deps.log.error({ attemptId: attempt.id, gateway: attempt.gateway, traceId }, 'nobody can be told about a payment');
    return undefined;
  }
  const answer = await gateway.act(attempt.id, act);
  await settle(deps, purchase, answer);
  return answer.refusal;
}
