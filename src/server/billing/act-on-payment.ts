import { and, eq } from 'drizzle-orm';
import type { PaymentAnswer } from '#contract/billing.ts';
import type { ConfirmingProvider, NextStep } from '#contract/next-step.ts';
import { isOpen } from '#contract/order-status.ts';
import type { FinishedPayment } from '#contract/payment-steps.ts';
import { orders } from '#server/db/schema/orders.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { GatewayAnswer, PaymentGateway } from '#server/payments/gateway.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import type { CustomerContext, RequestContext } from '#server/runtime/request/request-context.ts';
import { findNewestPurchase, ownPurchase, type OwnPurchase } from './orders.ts';
import { nextStepOf, publicPaymentView } from './payment-state.ts';
import { findPurchase } from '#server/db/purchase-rows.ts';
import { applyGatewayResult } from './apply-gateway-result.ts';
import { currentAnswer } from './process-payment.ts';
import type { PaymentFailure } from '#contract/error-codes.ts';

/** The step that the customer has to take, even if its time has passed; undefined when the payment has ended. */
function pendingStepOf({ order, attempt }: OwnPurchase): NextStep | undefined {
  return attempt.state === 'PENDING' && isOpen(order.status) ? (attempt.next ?? undefined) : undefined;
}

/** Calls one step of the gateway port; undefined when the gateway of this payment does not support it. */
export type GatewayStep = (gateway: PaymentGateway, key: string) => Promise<GatewayAnswer> | undefined;

interface StepToTake {
  accepts(step: NextStep): boolean;
  readonly perform: GatewayStep;
  /** only for a step that submits a code */
  readonly refuseCode?: Refuse<'wrongPaymentCode'>;
}

/**
 * Takes a step of the customer's own payment and returns its state afterwards. For a payment that has ended, it returns
 * that state and does nothing. `operationUnsupported`: the payment does not wait for this step, or its gateway has no
 * such step.
 */
export async function performPaymentStep(
  context: CustomerContext<PaymentFailure | 'operationUnsupported' | 'orderNotFound'>,
  orderId: string,
  { accepts, perform, refuseCode }: StepToTake,
): Promise<PaymentAnswer> {
  const { deps } = context;
  const purchase = await ownPurchase(context, orderId);
  if (!isOpen(purchase.order.status)) return currentAnswer(context.refuse, purchase, deps.clock());
  const step = pendingStepOf(purchase);
  if (!step || !accepts(step)) context.refuse('operationUnsupported');
  const refusal = (await callGateway(context, purchase, perform))?.refusal;
  const params = { ...refusal?.params, orderId };
  if (refusal?.error === 'wrongPaymentCode') refuseCode?.('wrongPaymentCode', params);
  if (refusal) context.refuse('operationUnsupported', params);
  return currentAnswer(context.refuse, await ownPurchase(context, orderId), deps.clock());
}

/**
 * Confirms the payment of a result token that the payer has approved at this provider. `paymentInfoNotFound`: unknown
 * token.
 */
export async function confirmByToken(
  context: RequestContext<'operationUnsupported' | 'paymentInfoNotFound'>,
  token: string,
  finisher: ConfirmingProvider,
): Promise<FinishedPayment> {
  const { deps, brand } = context;
  const ofToken = and(eq(orders.brand, brand.code), eq(orders.resultToken, token));
  const purchase = (await findNewestPurchase(deps.db, ofToken)) ?? context.refuse('paymentInfoNotFound');
  const step = pendingStepOf(purchase);
  const isAtProvider = step?.type === 'redirect' && step.finish === finisher && purchase.attempt.gateway === finisher;
  const answer = isAtProvider
    ? await callGateway(context, purchase, (_, key) => deps.gateways[finisher]?.confirm(key))
    : undefined;
  const now = (await findNewestPurchase(deps.db, ofToken)) ?? purchase;
  const next = nextStepOf(now, deps.clock());
  if (next.type !== 'redirect')
    return { ...publicPaymentView(now.order, context), next: { type: 'none' }, unpaid: false };
  const isSameAttempt = now.attempt.id === purchase.attempt.id;
  return { ...publicPaymentView(now.order, context), next, unpaid: isSameAttempt && answer?.unpaid === true };
}

/**
 * Calls the gateway and stores its answer. Without an answer nothing changes, and the job `reconcile` asks the provider
 * later.
 */
async function callGateway(
  { deps, traceId, refuse }: RequestContext<'operationUnsupported'>,
  { attempt }: OwnPurchase,
  take: GatewayStep,
) {
  const purchase = await findPurchase(deps.db, attempt.id);
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  const about = { attemptId: attempt.id, gateway: attempt.gateway, traceId };
  if (!purchase || !gateway) {
    deps.log.error(about, 'no gateway is installed for a payment step');
    return undefined;
  }
  const call = take(gateway, attempt.id);
  if (!call) {
    deps.log.error(about, 'a payment waits for a step that its gateway cannot take');
    return refuse('operationUnsupported');
  }
  const answer = await call;
  await applyGatewayResult(deps, purchase, answer);
  return answer;
}
