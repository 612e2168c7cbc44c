import type { PaymentAnswer, repay } from '#contract/billing.ts';
import { withSavedPayer } from './cards/payer.ts';
import { isOpen } from '#contract/order-status.ts';
import { ApiRefusal, refuseInput } from '#server/runtime/request/api-error.ts';
import type { ContextOf, Handler } from '#server/runtime/request/request-context.ts';
import { isLiveState } from '#server/db/schema/attempts.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import { ownPurchase, type OwnPurchase } from './orders.ts';
import { admitPayment, type AdmittedPayment } from './payment-limits.ts';
import { placeRetry } from './place-order.ts';
import { namesOfPayment, newAttempt, preparePurchase } from './prepare-purchase.ts';
import { fingerprintRequest, type RepayBody } from './request-hash.ts';
import { applyGatewayResult, endOrphanedPayment } from './apply-gateway-result.ts';
import { violatedIndex } from '#server/db/connect.ts';
import { processPayment, type CommittedAttempt, answerForKey, currentAnswer } from './process-payment.ts';

type RepayContext = ContextOf<typeof repay>;

/** The decision before a provider is called: a new attempt, or the current state of the order. */
type Decided = { readonly committed: CommittedAttempt } | { readonly answer: PaymentAnswer };

/** Pays an order again, unless it is paid, is being paid, or this key was used for it. */
export const handleRepay: Handler<typeof repay> = async ({ body: sent }, context) => {
  const { deps, brand, user, idempotencyKey } = context;
  const mark = fingerprintRequest(deps.env, 'repay', sent);
  const known = await answerForKey(context, idempotencyKey, mark);
  if (known) return known;
  const { body, keepIt } = await withSavedPayer(context, sent);
  // several tabs that repay one order run one after the other
  const turn = `repay ${brand.code} ${user.uid} ${body.orderId}`;
  const decided = await deps.runSerially(turn, () => decide(context, body, mark));
  if ('answer' in decided) return decided.answer;
  const answer = await processPayment(context, decided.committed);
  await keepIt();
  return answer;
};

/** Decides, and uncounts the attempt unless its provider will be called. */
async function decide(
  context: RepayContext,
  body: RepayBody,
  mark: ReturnType<typeof fingerprintRequest>,
): Promise<Decided> {
  const { admit, abandon } = admission(context, body);
  try {
    const decided = await decideWith(admit, context, body, mark);
    if ('answer' in decided) await abandon();
    return decided;
  } catch (error) {
    await abandon();
    throw error;
  }
}

async function decideWith(
  admit: Admit,
  context: RepayContext,
  body: RepayBody,
  mark: ReturnType<typeof fingerprintRequest>,
): Promise<Decided> {
  const { deps, idempotencyKey } = context;
  const open = await closeExpired(context, await ownPurchase(context, body.orderId));
  const purchase = replacesAttempt(open, body) ? await closeAttempt(context, open, body, admit) : open;
  if (!awaitsRetry(purchase)) return { answer: currentAnswer(context.refuse, purchase, deps.clock()) };
  if (purchase.order.planId !== body.planId) refuseInput('planId');
  try {
    return await retry(context, purchase, body, { hash: mark.hash, admit });
  } catch (error) {
    if (error instanceof ApiRefusal || violatedIndex(error) === undefined) throw error;
    await (await admit()).uncount();
    // Another call was faster, with this key or with another one for the same order.
    const known = await answerForKey(context, idempotencyKey, mark);
    return { answer: known ?? (await currentStateOf(context, body.orderId)) };
  }
}

type Admit = () => Promise<AdmittedPayment>;

/** The attempt is counted once, by the first step of this call that needs it. */
function admission(context: RepayContext, body: RepayBody): { admit: Admit; abandon: () => Promise<void> } {
  let admitted: AdmittedPayment | undefined;
  return {
    admit: async () => (admitted ??= await admitPayment(context, body, { opensOrder: false })),
    abandon: async () => admitted?.close('open'),
  };
}

async function retry(
  context: RepayContext,
  { order }: OwnPurchase,
  body: RepayBody,
  { hash, admit }: { readonly hash: string; readonly admit: Admit },
): Promise<Decided> {
  const { deps, idempotencyKey } = context;
  const prepared = await preparePurchase(context, body);
  const admitted = await admit();
  const attempt = newAttempt(context, order, prepared, body, { idempotencyKey, requestHash: hash });
  const names = namesOfPayment(context, body);
  const placed = await placeRetry(context.refuse, deps.db, order, prepared.terms, attempt, names);
  if (!placed) {
    await admitted.uncount();
    return { answer: await currentStateOf(context, body.orderId) };
  }
  const waiting = {
    ...order,
    ...prepared.terms,
    status: 'PAYMENT_PENDING' as const,
    failureCode: null,
    expiresAt: null,
  };
  return { committed: { order: waiting, attempt, prepared, body, admitted } };
}

/** Requests the state of an expired code from the provider first: it may have been paid in its last second. */
async function closeExpired(context: RepayContext, purchase: OwnPurchase): Promise<OwnPurchase> {
  const { deps, user } = context;
  const { order, attempt } = purchase;
  const hasPassed = attempt.state === 'PENDING' && attempt.expiresAt !== null && attempt.expiresAt <= deps.clock();
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  if (!hasPassed || !gateway) return purchase;
  await applyGatewayResult(deps, { order, attempt, customer: user }, await gateway.inquire(attempt.id));
  return ownPurchase(context, order.orderId);
}

/** Whether the customer has a pending payment and chooses another method, or the same one again. */
function replacesAttempt({ order, attempt }: OwnPurchase, body: RepayBody): boolean {
  const waits = attempt.state === 'PENDING' && isOpen(order.status);
  return waits && (body.replaceAttempt === true || attempt.methodCode !== body.methodCode);
}

/**
 * Closes the pending attempt at its provider, so that the customer cannot pay both. The new purchase is checked first:
 * a mistake in it must not cost the customer a working code. If the provider does not close it (just paid, or no
 * answer), the order stays as it is. If its gateway is not installed, the attempt ends at once.
 */
async function closeAttempt(
  context: RepayContext,
  { order, attempt }: OwnPurchase,
  body: RepayBody,
  admit: Admit,
): Promise<OwnPurchase> {
  const { deps, user } = context;
  await preparePurchase(context, body);
  await admit();
  const purchase = { order, attempt, customer: user };
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  if (gateway) await applyGatewayResult(deps, purchase, await gateway.cancel(attempt.id));
  else await endOrphanedPayment(deps, purchase, { sooner: true });
  return ownPurchase(context, order.orderId);
}

function awaitsRetry({ order, attempt }: OwnPurchase): boolean {
  return !isLiveState(attempt.state) && (order.status === 'PAYMENT_FAILED' || order.status === 'PAYMENT_PENDING');
}

async function currentStateOf(context: RepayContext, orderId: string): Promise<PaymentAnswer> {
  return currentAnswer(context.refuse, await ownPurchase(context, orderId), context.deps.clock());
}
