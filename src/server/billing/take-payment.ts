import type { PaymentAnswer } from '../../contract/billing.ts';
import type { NextStep } from '../../contract/next-step.ts';
import type { OrderStatus } from '../../contract/order-status.ts';
import { noteCardUse } from '../cards/note-card-use.ts';
import type { CustomerContext } from '../request-context.ts';
import { gatewayOf } from '../payments/chargeable.ts';
import type { GatewayAnswer } from '../payments/gateway.ts';
import { nationalNumber } from './national-number.ts';
import { ownPurchase } from './own-orders.ts';
import type { AttemptRow, OrderRow } from './purchase-rows.ts';
import type { Prepared } from './prepare-purchase.ts';
import type { PayBody } from './request-hash.ts';
import { refuseDecline, settle } from './settle.ts';
import { currentAnswer } from './spent-key.ts';
import { wayBack } from './way-back.ts';

/** A try to pay whose intent is in the database, with what only its request knows. */
export interface Committed {
  readonly order: OrderRow;
  readonly attempt: AttemptRow;
  readonly prepared: Prepared;
  readonly body: PayBody;
}

/** Asks the provider for an attempt that is committed, writes the answer and tells it ([Note: Two phases]). */
export async function takePayment(context: CustomerContext, committed: Committed): Promise<PaymentAnswer> {
  const { deps, user } = context;
  const { order, attempt } = committed;
  const answer = await askProvider(context, committed);
  if (answer.state === 'unknown') return told(order, order.status);
  const moved = await settle(deps, { order, attempt, customer: user }, answer);
  const token = committed.prepared.savedCard?.token;
  if (token !== undefined && answer.state !== 'failed') await noteCardUse(deps, attempt, token);
  // a notice or a job was faster: what it wrote is what is true
  if (!moved) return currentAnswer(await ownPurchase(context, order.orderId), deps.clock());
  switch (answer.state) {
    case 'failed':
      return refuseDecline(order.orderId, answer.failureCode ?? null);
    case 'succeeded':
      return told(order, 'PAYMENT_SUCCEEDED');
    default:
      return told(order, 'PAYMENT_PENDING', answer.next);
  }
}

function told(order: OrderRow, status: OrderStatus, next: NextStep = { type: 'none' }): PaymentAnswer {
  return { orderId: order.orderId, status, failureCode: null, resultToken: order.resultToken, next };
}

/** One phone is named by one number to those who take money from it. */
function payerOf({ payer }: PayBody, diallingCode: string | undefined): PayBody['payer'] {
  if (diallingCode === undefined || payer.phone === undefined) return payer;
  return { ...payer, phone: nationalNumber(payer.phone, diallingCode) ?? payer.phone };
}

/** Nothing is owed for a purchase that a coupon pays in full, so no provider is asked. */
async function askProvider(
  context: CustomerContext,
  { order, attempt, prepared, body }: Committed,
): Promise<GatewayAnswer> {
  const { deps, brand, user, origin } = context;
  if (attempt.amount === 0) return { state: 'succeeded' };
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  const { diallingCodes, receiver } = prepared.valuation.method.details;
  const diallingCode = diallingCodes?.[attempt.currency];
  try {
    if (!gateway) throw new Error(`no adapter is installed for the gateway ${attempt.gateway}`);
    return await gateway.authorize({
      key: attempt.id,
      brand: brand.code,
      customer: user.uid,
      merchantName: brand.name,
      methodCode: attempt.methodCode,
      amount: attempt.amount,
      currency: attempt.currency,
      installments: attempt.installments,
      card: body.card,
      savedCard: prepared.savedCard,
      diallingCode,
      receiver,
      payer: payerOf(body, diallingCode),
      returnUrl: new URL(`${body.returnUrl}/${wayBack(order, attempt, context.language)}`, origin).href,
      orderLabel: attempt.orderId,
    });
  } catch (error) {
    // The intent is committed: whatever happened, the truth is found by asking again, never by failing here.
    deps.log.error({ err: error, attemptId: attempt.id, traceId: context.traceId }, 'asking the provider failed');
    return { state: 'unknown' };
  }
}
