import { errorEntry, type PaymentFailure } from '#contract/error-codes.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { replaceCard, saveCard } from './cards/save-card.ts';
import type { Database } from '#server/db/connect.ts';
import { withTermsOf, type Purchase } from '#server/db/purchase-rows.ts';
import type { QueuedMail } from '#server/messages/outbox.ts';
import { receiptMail } from '#server/messages/order-mails.ts';
import type { GatewayAnswer } from '#server/payments/gateway.ts';
import type { Refuse } from '#server/runtime/request/api-error.ts';
import { periodIfPaid } from '#server/site/availability.ts';
import { inLanguage } from '#server/site/words.ts';
import { recordRefusal } from './subscriptions/record-refusal.ts';
import { buyerToName, sealBuyer } from './buyer.ts';
import { clearDeclines, recordDecline } from './payment-limits.ts';
import { recordExpiry, recordFailure, recordPending } from './record-outcome.ts';
import { recordPayment } from './record-payment.ts';
import { chargeTime } from './subscriptions/times.ts';
import type { RenewalDeps } from './subscriptions/lock-renewal.ts';

/**
 * Writes what the provider answered. Safe to repeat and safe in any order: an attempt that has ended is not moved,
 * except by money. True when the order was moved by it.
 */
export async function applyGatewayResult(
  deps: RenewalDeps,
  purchase: Purchase,
  answer: GatewayAnswer,
): Promise<boolean> {
  const { db, clock, log } = deps;
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
      return takeMoney(deps, purchase, answer);
    case 'pending': {
      const { next, expiresAt = null, providerRef = null } = answer;
      return recordPending(db, attempt.id, { next, providerRef, expiresAt, now });
    }
    case 'failed': {
      const failure = answer.failure ?? 'paymentFailed';
      const ended = await endUnpaid(deps, purchase, answer, (tx) =>
        // the order of a renewal whose bank asks its holder waits for them
        answer.asksHolder && purchase.order.subscriptionId !== null
          ? recordExpiry(tx, attempt.id, now)
          : recordFailure(tx, attempt.id, { failure, now }),
      );
      if (ended && purchase.order.subscriptionId === null) await recordDecline(deps, attempt, failure);
      return ended;
    }
    case 'expired':
      return endUnpaid(deps, purchase, answer, (tx) => recordExpiry(tx, attempt.id, now));
    case 'unknown':
      return false;
  }
}

/** Writes that a try has ended without money; of a renewal, together with what follows for it. */
export async function endUnpaid(
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

async function takeMoney(deps: RenewalDeps, purchase: Purchase, answer: GatewayAnswer): Promise<boolean> {
  const { attempt } = purchase;
  const brand = deps.catalog.byCode(attempt.brand);
  const method = brand?.methods.find(({ code }) => code === attempt.methodCode);
  const order = withTermsOf(purchase.order, attempt, method);
  const now = deps.clock();
  // before the payment, because nobody asks again about one that is written
  const cardId = await keptCard(deps, purchase, answer);
  const { renewPrice: price } = attempt;
  const cardLast4 = answer.savedCard?.last4 ?? attempt.cardLast4;
  const paid = await recordPayment(deps.db, {
    attempt,
    order,
    renewal: price !== null && cardId !== null ? { subscriptionId: deps.random.id(), cardId, price } : undefined,
    providerRef: answer.providerRef ?? null,
    now,
    seller: brand?.config.seller ?? null,
    buyerSealed: sealBuyer(deps, attempt, await buyerToName(deps, attempt)),
    cardLast4,
    ledgerId: deps.random.id(),
    mailId: deps.random.id(),
    mail:
      brand && receiptOf(brand, { ...purchase, order }, { cardLast4, renews: price !== null && cardId !== null }, now),
  });
  if (paid) await clearDeclines(deps, attempt);
  return paid;
}

/** The card that has paid, where it is kept: new, replaced by its network, or the one that was named. */
async function keptCard(
  deps: RenewalDeps,
  { attempt, order }: Purchase,
  answer: GatewayAnswer,
): Promise<string | null> {
  if (!answer.savedCard) return attempt.cardId;
  if (order.subscriptionId === null || attempt.cardId === null) return saveCard(deps, attempt, answer.savedCard);
  return replaceCard(deps, { ...attempt, cardId: attempt.cardId }, answer.savedCard);
}

/** Ends the call of a customer whose payment was declined, telling where it can be mended and which order to repay. */
export function refuseDecline(refuse: Refuse<PaymentFailure>, orderId: string, failure: PaymentFailure): never {
  const field = errorEntry(failure)?.field;
  return refuse(failure, { orderId, ...(field && { field }) });
}

/** Whether the provider speaks of what it was asked for, where it names an amount at all. */
export function isExpectedAmount({ attempt }: Purchase, { amount, currency }: GatewayAnswer): boolean {
  return (amount ?? attempt.amount) === attempt.amount && (currency ?? attempt.currency) === attempt.currency;
}

/** The receipt of a purchase that is paid at `now` (epoch milliseconds); none for an account without an address. */
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
  // nothing renews while an account waits for its deletion (subscriptions/record-purchase.ts)
  const isOn = renews && renewPrice !== null && customer.leavesAt === null;
  const receipt = receiptMail(brand, language, {
    orderId: order.orderId,
    planName: inLanguage(order.planNames, language, brand) ?? order.planId,
    methodName: inLanguage(order.methodNames, language, brand) ?? order.methodCode,
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
