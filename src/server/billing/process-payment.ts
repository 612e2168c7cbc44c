import type { PaymentAnswer } from '#contract/billing.ts';
import type { NextStep } from '#contract/next-step.ts';
import type { OrderStatus } from '#contract/order-status.ts';
import { recordCardUse } from './cards/save-card.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { AuthoriseRequest, GatewayAnswer } from '#server/payments/gateway.ts';
import { nationalNumber, payerPhone, phoneCodesOf } from './check-payer.ts';
import { ownPurchase, findPurchaseByKey, type OwnPurchase } from './orders.ts';
import type { AttemptRow, OrderRow } from '#server/db/purchase-rows.ts';
import { isDecline, type AdmittedPayment, type AttemptOutcome } from './payment-limits.ts';
import type { PreparedPurchase } from './prepare-purchase.ts';
import { type PayBody, type RequestFingerprint, isSameRequest } from './request-hash.ts';
import { countAttempt, refuseDecline, applyGatewayResult } from './apply-gateway-result.ts';
import { returnPath } from '#server/payments/send-provider-request.ts';
import { type PaymentFailure, paymentFailureOf } from '#contract/error-codes.ts';
import { violatedIndex } from '#server/db/connect.ts';
import { refuseInput, type Refuse } from '#server/runtime/request/api-error.ts';
import { nextStepOf } from './payment-state.ts';

/** An attempt whose intent is committed, with the data of its request. */
export interface CommittedAttempt {
  readonly order: OrderRow;
  readonly attempt: AttemptRow;
  readonly prepared: PreparedPurchase;
  readonly body: PayBody;
  readonly admitted: AdmittedPayment;
}

/** Calls the provider for a committed attempt, stores the answer and returns it ([Note: Two phases]). */
export async function processPayment(
  context: CustomerContext<PaymentFailure | 'orderNotFound'>,
  committed: CommittedAttempt,
): Promise<PaymentAnswer> {
  const { deps, user } = context;
  const { order, attempt } = committed;
  const answer = await callProvider(context, committed);
  const moved =
    answer.state !== 'unknown' && (await applyGatewayResult(deps, { order, attempt, customer: user }, answer));
  if (answer.state === 'unknown') countAttempt(deps, committed, 'unknown');
  await committed.admitted.close(moved ? outcomeOf(committed, answer) : 'open');
  if (answer.state === 'unknown') return paymentAnswer(order, order.status);
  const token = committed.prepared.savedCard?.token;
  if (token !== undefined && answer.state !== 'failed') await recordCardUse(deps, attempt, token);
  // a notice or a job was faster, and what it stored is valid
  if (!moved) return currentAnswer(context.refuse, await ownPurchase(context, order.orderId), deps.clock());
  switch (answer.state) {
    case 'failed':
      return refuseDecline(context.refuse, order.orderId, answer.failure ?? 'paymentFailed');
    case 'succeeded':
      return paymentAnswer(order, 'PAYMENT_SUCCEEDED');
    default:
      return paymentAnswer(order, 'PAYMENT_PENDING', answer.next);
  }
}

/** How the payment limits count the attempt. */
function outcomeOf({ body }: CommittedAttempt, { state, failure = 'paymentFailed' }: GatewayAnswer): AttemptOutcome {
  if (state === 'succeeded') return 'paid';
  const byCard = body.card !== undefined || body.cardId !== undefined;
  return state === 'failed' && byCard && isDecline(failure) ? 'declined' : 'open';
}

function paymentAnswer(order: OrderRow, status: OrderStatus, next: NextStep = { type: 'none' }): PaymentAnswer {
  return { orderId: order.orderId, status, failureCode: null, resultToken: order.resultToken, next };
}

/**
 * Normalizes the phone number for providers: for mobile money by the method's country, else by the currency's or the
 * brand's.
 */
function payerOf(
  { payer, currency }: PayBody,
  diallingCode: string | undefined,
  { config }: CustomerContext['brand'],
): PayBody['payer'] {
  const { phone } = payer;
  if (phone === undefined) return payer;
  const own =
    diallingCode === undefined
      ? payerPhone(phone, phoneCodesOf(currency, config.login.areaCode))
      : nationalNumber(phone, diallingCode);
  return { ...payer, phone: own ?? phone };
}

/** A coupon paid all of the purchase. A card for its renewal is still verified and saved. */
async function settleFreePurchase(
  { deps, brand, user }: CustomerContext,
  { attempt, body }: Pick<CommittedAttempt, 'attempt' | 'body'>,
): Promise<GatewayAnswer> {
  const { card, payer } = body;
  const storeCard = gatewayOf(deps.gateways, attempt.gateway)?.storeCard;
  if (attempt.renewPrice === null || !card || !storeCard) return { state: 'succeeded' };
  const { id: key, methodCode, currency } = attempt;
  const owner = { brand: brand.code, customer: user.uid, merchantName: brand.name };
  const stored = await storeCard({ ...owner, key, methodCode, currency, card, payer });
  if (stored.state === 'saved') return { state: 'succeeded', savedCard: stored.savedCard };
  return stored.state === 'refused' ? { state: 'failed', failure: stored.failure } : stored;
}

/** Whether the card of this payment is typed at the provider's page. */
function takesCardPage({ cardId }: PayBody, { valuation }: PreparedPurchase): boolean {
  return cardId === undefined && valuation.method.fields.includes('cardPage');
}

type ProviderCall = Omit<CommittedAttempt, 'admitted'>;

/** The provider's answer, or `succeeded` when there is nothing to pay and no card to save. */
async function callProvider(context: CustomerContext, asking: ProviderCall): Promise<GatewayAnswer> {
  const { attempt } = asking;
  // a card that will pay the renewal is saved at its provider's page even if nothing is due today
  const isFree = attempt.amount === 0 && !(keepsCardOf(asking) && attempt.renewPrice !== null);
  if (isFree) return settleFreePurchase(context, asking);
  return sendToProvider(context, attempt, () => authoriseRequest(context, asking));
}

/** Whether a card of the provider's page is saved; the account behind a payment only if it renews. */
function keepsCardOf({ attempt, prepared, body }: ProviderCall): boolean {
  const renews = attempt.renewPrice !== null;
  if (takesCardPage(body, prepared)) return body.saveCard === true || renews;
  return renews && body.cardId === undefined && prepared.valuation.method.savesAccount === true;
}

function authoriseRequest(context: CustomerContext, asking: ProviderCall): AuthoriseRequest {
  const { brand, user } = context;
  const { order, attempt } = asking;
  return {
    key: attempt.id,
    brand: brand.code,
    customer: user.uid,
    merchantName: brand.name,
    methodCode: attempt.methodCode,
    amount: attempt.amount,
    currency: attempt.currency,
    installments: attempt.installments,
    email: user.email ?? undefined,
    ip: context.ip,
    returnUrl: new URL(`${asking.body.returnUrl}/${returnPath(order, attempt, context.language)}`, context.origin).href,
    orderLabel: attempt.orderId,
    ...cardOf(asking),
    ...payerAt(context, asking),
  };
}

/** The card to charge, and whether a new one is saved. */
function cardOf(asking: ProviderCall): Pick<AuthoriseRequest, 'card' | 'savedCard' | 'savesCard'> {
  const { attempt, body } = asking;
  const { savedCard } = asking.prepared;
  return {
    // renewals charge the card that pays now
    card: body.card && { ...body.card, save: body.card.save || attempt.renewPrice !== null },
    savedCard: savedCard && { token: savedCard.token, code: savedCard.code },
    savesCard: keepsCardOf(asking),
  };
}

/** The payer, and the method's details for its provider. */
function payerAt(
  { brand }: CustomerContext,
  { attempt, prepared, body }: ProviderCall,
): Pick<AuthoriseRequest, 'payer' | 'diallingCode' | 'pmId' | 'receiver'> {
  const { diallingCodes, receiver, pmId } = prepared.valuation.method.details;
  const diallingCode = diallingCodes?.[attempt.currency];
  return { payer: payerOf(body, diallingCode, brand), diallingCode, pmId, receiver };
}

/**
 * The intent is committed, so an error here proves nothing: the state is unknown until the job requests it from the
 * provider.
 */
async function sendToProvider(
  { deps, traceId }: CustomerContext,
  { id, gateway: name }: AttemptRow,
  request: () => AuthoriseRequest,
): Promise<GatewayAnswer> {
  try {
    const gateway = gatewayOf(deps.gateways, name);
    if (!gateway) throw new Error(`no adapter is installed for the gateway ${name}`);
    return await gateway.authorise(request());
  } catch (error) {
    deps.log.error({ err: error, attemptId: id, traceId }, 'calling the provider failed');
    return { state: 'unknown' };
  }
}

/**
 * [Note: Idempotency] A key is consumed by the attempt that it created (unique over brand, customer and key). The
 * database decides which call is first; every other call, at once or a year later, gets the current state of that
 * attempt. So a repeat never charges, and a repeat with another body is refused. Deleting the account clears the hash
 * of the request.
 */
export async function answerForKey(
  context: CustomerContext<PaymentFailure>,
  key: string,
  mark: RequestFingerprint,
): Promise<PaymentAnswer | undefined> {
  const purchase = await findPurchaseByKey(context, key);
  if (!purchase) return undefined;
  if (!isSameRequest(purchase.attempt.requestHash, mark)) refuseInput('Idempotency-Key');
  return currentAnswer(context.refuse, purchase, context.deps.clock());
}

/**
 * Whether another call has consumed the key. The attempt's ID is derived from the key, so either index may report it.
 */
export function isUsedKey(error: unknown): boolean {
  const index = violatedIndex(error);
  return index === 'attempts_key' || index === 'attempts_pkey';
}

/** The answer of `pay` for an existing attempt; a decline that is still the latest outcome is refused again. */
export function currentAnswer(refuse: Refuse<PaymentFailure>, purchase: OwnPurchase, now: number): PaymentAnswer {
  const { order, attempt } = purchase;
  const hasEnded = attempt.state === 'FAILED' || attempt.state === 'ORPHANED';
  if (hasEnded && order.status === 'PAYMENT_FAILED')
    refuseDecline(refuse, order.orderId, paymentFailureOf(attempt.failureCode));
  return {
    orderId: order.orderId,
    status: order.status,
    failureCode: order.failureCode,
    resultToken: order.resultToken,
    next: nextStepOf(purchase, now),
  };
}
