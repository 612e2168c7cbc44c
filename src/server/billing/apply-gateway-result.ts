import { errorEntry, type PaymentFailure } from '#contract/error-codes.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { replaceCard, saveCard } from './cards/save-card.ts';
import type { Database } from '#server/db/connect.ts';
import { withTermsOf, type Purchase } from '#server/db/purchase-rows.ts';
import type { QueuedMail } from '#server/messages/message-requests.ts';
import { receiptMail } from '#server/messages/order-mails.ts';
import type { GatewayAnswer, PaymentGateway } from '#server/payments/gateway.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { periodIfPaid } from '#server/site/periods.ts';
import { localize } from '#server/site/documents.ts';
import { recordRefusal } from './subscriptions/record-refusal.ts';
import { findReceiptBuyer, sealBuyer } from './check-payer.ts';
import { clearDeclines, recordDecline } from './payment-limits.ts';
import { recordExpiry, recordFailure, recordPending, recordOrphan } from './record-outcome.ts';
import { mailNewSlip } from './slip-mails.ts';
import { recordAndReportPayment } from './order-events.ts';
import { chargeTime } from './subscriptions/renewal-rules.ts';
import type { RenewalDeps } from './subscriptions/lock-renewal.ts';
import { and, eq } from 'drizzle-orm';
import { attempts } from '#server/db/schema/attempts.ts';
import type { Deps } from '#server/deps.ts';

/**
 * Stores the provider's answer. Safe to repeat and in any order: only money changes an attempt that has ended. Returns
 * whether the order changed.
 */
export async function applyGatewayResult(
  deps: RenewalDeps,
  purchase: Purchase,
  answer: GatewayAnswer,
): Promise<boolean> {
  const isChanged = await storeGatewayResult(deps, purchase, answer);
  const isStillPending = answer.state === 'pending' && purchase.attempt.state === 'PENDING';
  if (isChanged && !isStillPending && answer.state !== 'unknown') countAttempt(deps, purchase, outcomes[answer.state]);
  return isChanged;
}

const outcomes = { succeeded: 'paid', pending: 'pending', failed: 'failed', expired: 'expired' } as const;

/** Counts and logs what became known of an attempt, or that nothing did. */
export function countAttempt(
  { metrics, log }: Pick<Deps, 'metrics' | 'log'>,
  { attempt, order }: Pick<Purchase, 'attempt' | 'order'>,
  outcome: Parameters<Deps['metrics']['attempt']>[0]['outcome'],
): void {
  const { id: attemptId, orderId, brand, methodCode: method, gateway } = attempt;
  const facts = {
    brand,
    method,
    gateway,
    kind: order.subscriptionId === null ? 'purchase' : 'renewal',
    outcome,
  } as const;
  metrics.attempt(facts);
  log.info({ orderId, attemptId, ...facts }, 'a payment attempt');
}

async function storeGatewayResult(deps: RenewalDeps, purchase: Purchase, answer: GatewayAnswer): Promise<boolean> {
  const { clock, log } = deps;
  const { attempt } = purchase;
  const now = clock();
  if (!isExpectedAmount(purchase, answer)) {
    log.error(
      { attemptId: attempt.id, orderId: attempt.orderId },
      'the provider names another amount; nothing was changed',
    );
    return false;
  }
  switch (answer.state) {
    case 'succeeded':
      return recordMoney(deps, purchase, answer);
    case 'pending':
      return recordOpen(deps, purchase, answer);
    case 'failed': {
      const failure = answer.failure ?? 'paymentFailed';
      const ended = await recordUnpaidOutcome(deps, purchase, answer, (tx) =>
        // a renewal whose bank requires the cardholder stays open, so that the customer can approve it
        answer.asksHolder && purchase.order.subscriptionId !== null
          ? recordExpiry(tx, attempt.id, now)
          : recordFailure(tx, attempt.id, { failure, now }),
      );
      if (ended && purchase.order.subscriptionId === null) await recordDecline(deps, attempt, failure);
      return ended;
    }
    case 'expired':
      return recordUnpaidOutcome(deps, purchase, answer, (tx) => recordExpiry(tx, attempt.id, now));
    case 'unknown':
      return false;
  }
}

/** Records that the provider waits; a new Boleto is emailed in the same transaction. */
async function recordOpen(deps: RenewalDeps, purchase: Purchase, answer: GatewayAnswer): Promise<boolean> {
  const { id } = purchase.attempt;
  const { next, expiresAt = null, providerRef = null } = answer;
  const facts = { next, providerRef, expiresAt, now: deps.clock() };
  if (next?.type !== 'ticket') return recordPending(deps.db, id, facts);
  return deps.db.transaction(async (tx) => {
    const moved = await recordPending(tx, id, facts);
    if (moved) await mailNewSlip({ ...deps, db: tx }, purchase, next);
    return moved;
  });
}

/** Records that an attempt ended without money, and for a renewal also the consequences, in one transaction. */
async function recordUnpaidOutcome(
  deps: RenewalDeps,
  { order }: Pick<Purchase, 'order'>,
  { asksHolder }: Pick<GatewayAnswer, 'asksHolder'>,
  record: (db: Database) => Promise<boolean>,
): Promise<boolean> {
  if (order.subscriptionId === null) return record(deps.db);
  return deps.db.transaction(async (tx) => {
    const ended = await record(tx);
    if (ended) await recordRefusal(tx, deps, order, { asksHolder });
    return ended;
  });
}

async function recordMoney(deps: RenewalDeps, purchase: Purchase, answer: GatewayAnswer): Promise<boolean> {
  const { attempt } = purchase;
  const brand = deps.catalog.byCode(attempt.brand);
  const method = brand?.methods.find(({ code }) => code === attempt.methodCode);
  const order = withTermsOf(purchase.order, attempt, method);
  const now = deps.clock();
  // before the payment: a payment that is recorded is never processed again, so the card would be lost
  const cardId = await savedCardId(deps, purchase, answer);
  const { renewPrice: price } = attempt;
  const cardLast4 = answer.savedCard?.last4 || attempt.cardLast4;
  const facts = {
    attempt,
    order,
    renewal: price !== null && cardId !== null ? { subscriptionId: deps.random.id(), cardId, price } : undefined,
    providerRef: answer.providerRef ?? null,
    now,
    seller: brand?.config.seller ?? null,
    buyerSealed: sealBuyer(deps, attempt, await findReceiptBuyer(deps, attempt)),
    cardLast4,
    ledgerId: deps.random.id(),
    mailId: deps.random.id(),
    mail:
      brand && receiptOf(brand, { ...purchase, order }, { cardLast4, renews: price !== null && cardId !== null }, now),
  };
  const paid = await recordAndReportPayment(deps, brand, facts);
  if (paid) await clearDeclines(deps, attempt);
  return paid;
}

/**
 * The ID of the card that paid, if it is saved: a new card, one that its network replaced, or the saved card of the
 * request.
 */
async function savedCardId(
  deps: RenewalDeps,
  { attempt, order }: Purchase,
  answer: GatewayAnswer,
): Promise<string | null> {
  if (!answer.savedCard) return attempt.cardId;
  if (order.subscriptionId === null || attempt.cardId === null) return saveCard(deps, attempt, answer.savedCard);
  return replaceCard(deps, { ...attempt, cardId: attempt.cardId }, answer.savedCard);
}

/** Refuses the call for a declined payment, with the field to correct and the order to repay. */
export function refuseDecline(refuse: Refuse<PaymentFailure>, orderId: string, failure: PaymentFailure): never {
  const field = errorEntry(failure)?.field;
  return refuse(failure, { orderId, ...(field && { field }) });
}

/** Whether amount and currency of the answer, where it has them, are those of the attempt. */
export function isExpectedAmount({ attempt }: Purchase, { amount, currency }: GatewayAnswer): boolean {
  return (amount ?? attempt.amount) === attempt.amount && (currency ?? attempt.currency) === attempt.currency;
}

/** The receipt of a purchase paid at `now` (epoch milliseconds); undefined for an account without an email address. */
function receiptOf(
  brand: Brand,
  { order, attempt, customer }: Purchase,
  { cardLast4, renews }: { cardLast4: string | null; renews: boolean },
  now: number,
): QueuedMail | undefined {
  const { language, email } = customer;
  if (email === null) return undefined;
  const { from: serviceStart, until: serviceEnd } = periodIfPaid(customer, order, now);
  const { renewPrice, currency } = attempt;
  // an account that waits for its deletion gets no renewal (subscriptions/record-purchase.ts)
  const isOn = renews && renewPrice !== null && customer.leavesAt === null;
  const receipt = receiptMail(brand, language, {
    orderId: order.orderId,
    planName: localize(order.planNames, language, brand) ?? order.planId,
    methodName: localize(order.methodNames, language, brand) ?? order.methodCode,
    total: { amount: attempt.amount, currency: attempt.currency },
    installments: attempt.installments,
    cardLast4,
    seller: brand.config.seller ?? null,
    paidAt: now,
    serviceStart,
    serviceEnd,
    renewal: isOn ? { price: { amount: renewPrice, currency }, chargeAt: chargeTime(serviceEnd) } : undefined,
  });
  return { brand, to: email, ...receipt, receipt: { orderId: order.orderId, language } };
}

type OrphanDeps = Pick<Deps, 'db' | 'clock' | 'random' | 'catalog' | 'env' | 'log' | 'metrics' | 'sms' | 'gateways'>;

/**
 * A payment is orphaned when its gateway's adapter is no longer installed, because its key was removed from the
 * settings or the sandbox was switched off. Its state cannot be requested, no notice can be verified, and its code must
 * not be paid any more. So its order fails with `methodUnsupported`, the coupon is released, and the customer can pay
 * with another method.
 * Whether it was charged is unknown, so the attempt is ORPHANED, not FAILED: `operator -- orphans` lists it for a check
 * in the provider's own records, and the customer reads that a charge would be credited or refunded. When the adapter
 * is back, `reclaim` closes it at the provider; money that was charged pays the order, or is refunded as a duplicate.
 * The first minutes are excluded: in a rolling deploy another process may still have the adapter, and a call may be
 * running. Only the customer, by choosing another method, ends one sooner.
 */
export const orphanedAfterMs = 10 * 60_000;

/** Ends a payment whose gateway is gone, if it is old enough; `sooner` when the customer has cancelled it. */
export async function endOrphanedPayment(
  deps: OrphanDeps,
  purchase: Purchase,
  { sooner = false } = {},
): Promise<boolean> {
  const { clock, log } = deps;
  const { id, gateway, amount, createdAt } = purchase.attempt;
  // a coupon paid all of it, so no provider was involved
  if (amount === 0) return applyGatewayResult(deps, purchase, { state: 'succeeded' });
  if (!sooner && clock() - createdAt < orphanedAfterMs) return false;
  const ended = await recordUnpaidOutcome(deps, purchase, {}, (tx) => recordOrphan(tx, id, clock()));
  if (ended) log.error({ attemptId: id, gateway }, 'a payment was ended, because its gateway is no longer installed');
  return ended;
}

/** Closes an orphaned payment at a gateway that is installed again, and stores the result. */
export async function reclaimOrphanedPayment(
  deps: OrphanDeps,
  purchase: Purchase,
  gateway: PaymentGateway,
): Promise<void> {
  const { id } = purchase.attempt;
  const answer = await gateway.cancel(id);
  if (answer.state === 'succeeded') await applyGatewayResult(deps, purchase, answer);
  if (answer.state !== 'failed' && answer.state !== 'expired') return;
  await deps.db
    .update(attempts)
    .set({ state: 'FAILED', updatedAt: deps.clock() })
    .where(and(eq(attempts.id, id), eq(attempts.state, 'ORPHANED')));
}
