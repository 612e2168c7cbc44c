import { and, eq, sql } from 'drizzle-orm';
import { applyGatewayResult, countAttempt } from '#server/billing/apply-gateway-result.ts';
import type { Database } from '#server/db/connect.ts';
import { attemptTerms, type AttemptRow, type OrderRow, type Purchase } from '#server/db/purchase-rows.ts';
import { attempts, renewalKeyPrefix, type AttemptTerms } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import type { Deps } from '#server/deps.ts';
import { deriveId, deriveOrderId } from '#server/runtime/random.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { GatewayAnswer } from '#server/payments/gateway.ts';
import type { CardRow, LockedRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import { type SubscriptionRow, periodPrice, type RenewalOffer } from '#server/billing/subscriptions/renewal-rules.ts';

type ClockAndRandom = Pick<Deps, 'clock' | 'random'>;

/**
 * The idempotency key of one charge attempt. Orders are unique by subscription and period, and the key names the
 * attempt of that period, so a period cannot be charged twice. Keys of customers are UUIDs and never collide with it.
 */
export const renewalAttemptKey = ({ id, period, refusals }: Pick<SubscriptionRow, 'id' | 'period' | 'refusals'>) =>
  `${renewalKeyPrefix}${id} ${period} ${refusals}`;

/**
 * Whether the server made this attempt. The customer's own attempts for the same order are not the renewal's concern.
 */
export function isRenewalAttempt({ idempotencyKey }: Pick<AttemptRow, 'idempotencyKey'>): boolean {
  return idempotencyKey.startsWith(renewalKeyPrefix);
}

/** The order of a period, at the agreed and announced price or a lower one. */
export function renewalOrder({ row }: LockedRenewal, offer: RenewalOffer, { clock, random }: ClockAndRandom): OrderRow {
  const { plan } = offer;
  return {
    ...renewalTerms(row, offer),
    // derived, so that a period that was charged before a restore has the number of its first receipt again
    orderId: deriveOrderId('renewal', row.id, row.period),
    brand: row.brand,
    uid: row.uid,
    status: 'SUBMITTED',
    planId: plan.id,
    planNames: Object.fromEntries(Object.entries(plan.texts).map(([language, words]) => [language, words.name])),
    days: row.days,
    devices: plan.devices,
    resultToken: random.token(24),
    refunded: 0,
    failureCode: null,
    createdAt: clock(),
    expiresAt: null,
    paidAt: null,
    serviceStart: null,
    serviceEnd: null,
    serviceChanges: [],
    // the customer has nothing to do: the order is not offered for payment while the bank decides
    underReview: true,
    rejection: null,
    seller: null,
    buyerSealed: null,
    buyer: null,
    cardLast4: null,
    subscriptionId: row.id,
    period: row.period,
    withdrawal: null,
  };
}

/** The payment terms of the renewal, also when the customer has tried another method in the meantime. */
export function renewalTerms(row: LockedRenewal['row'], { plan, method, price }: RenewalOffer) {
  const total = periodPrice(row, price);
  const original = Math.max(total, plan.prices[row.currency] ?? total);
  return {
    methodCode: method.code,
    methodNames: method.names,
    flow: method.flow,
    currency: row.currency,
    original,
    discount: original - total,
    total,
    installments: 1,
    discountCode: null,
  };
}

/** One attempt to charge the card. */
export function renewalAttempt(
  { row }: LockedRenewal,
  order: Pick<OrderRow, 'orderId' | 'total' | keyof AttemptTerms>,
  card: CardRow,
  { clock }: Pick<Deps, 'clock'>,
): AttemptRow {
  const now = clock();
  return {
    // derived from the key: after a restore the server inquires at the gateway about the attempt by this ID (`isSuspended`)
    id: deriveId(renewalAttemptKey(row)),
    orderId: order.orderId,
    brand: row.brand,
    uid: row.uid,
    idempotencyKey: renewalAttemptKey(row),
    requestHash: renewalAttemptKey(row),
    gateway: card.gateway,
    methodCode: row.methodCode,
    amount: order.total,
    currency: row.currency,
    installments: 1,
    terms: attemptTerms(order),
    cardId: card.cardId,
    cardLast4: card.last4 || null,
    // the payer was given with the first order, and the customer is not present now
    buyerSealed: null,
    buyer: null,
    renewPrice: null,
    state: 'INTENT',
    providerRef: null,
    next: null,
    failureCode: null,
    slipMails: 0,
    askedAt: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
  };
}

/**
 * Milliseconds after which a key is not charged any more: a day. Within it a repeated call charges nothing twice; an
 * adapter whose provider forgets keys sooner inquires instead (`paypal/vault.ts`).
 */
const keyKeptMs = 24 * 60 * 60_000;

/**
 * The second phase ([Note: Two phases]): charges the card of a committed attempt and writes the answer. It is safe to
 * repeat, because a key charges once. After a crash before the call it must charge instead of inquire: an inquiry
 * would close the key and report a refusal that no bank made.
 */
export async function chargeRenewal(deps: Deps, purchase: Purchase): Promise<void> {
  const answer = await charged(deps, purchase);
  if (answer.state === 'unknown') countAttempt(deps, purchase, 'unknown');
  await applyGatewayResult(deps, purchase, answer);
}

async function charged(deps: Deps, { order, attempt, customer }: Purchase): Promise<GatewayAnswer> {
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  const token = await tokenOf(deps.db, { order, attempt });
  if (!gateway) return { state: 'unknown' };
  const isOld = deps.clock() - attempt.createdAt > keyKeptMs;
  // without a card, after the renewal was cancelled, or once the key may be forgotten: only inquire
  if (token === undefined || isOld || !gateway.chargeSaved) return gateway.inquire(attempt.id);
  if (!(await noteAsked(deps, attempt))) return { state: 'unknown' };
  try {
    return await gateway.chargeSaved({
      key: attempt.id,
      brand: attempt.brand,
      customer: customer.uid,
      merchantName: deps.catalog.byCode(attempt.brand)?.name ?? attempt.brand,
      methodCode: attempt.methodCode,
      amount: attempt.amount,
      currency: attempt.currency,
      orderLabel: order.orderId,
      token,
    });
  } catch (error) {
    deps.log.error({ err: error, attemptId: attempt.id }, 'charging a renewal failed');
    return { state: 'unknown' };
  }
}

/**
 * Records that the gateway is about to be called. False if the charge was called off or has ended: do not call it
 * ([Note: Calling off]).
 */
async function noteAsked({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id }: AttemptRow): Promise<boolean> {
  const asked = await db
    .update(attempts)
    .set({ askedAt: sql`coalesce(${attempts.askedAt}, ${clock()}::bigint)` })
    .where(and(eq(attempts.id, id), sql`${attempts.state} || '' = 'INTENT'`))
    .returning({ id: attempts.id });
  return asked.length > 0;
}

/** The token of the card, while the renewal still waits for this order: a renewal stopped in between is not charged. */
async function tokenOf(
  db: Database,
  { order, attempt }: Pick<Purchase, 'order' | 'attempt'>,
): Promise<string | undefined> {
  const { brand, uid, gateway, cardId } = attempt;
  if (cardId === null) return undefined;
  const { status, orderId } = subscriptions;
  const [card] = await db
    .select({
      token: savedCards.token,
      isAwaited: sql<boolean>`${status} = 'renewing' and ${orderId} = ${order.orderId}`,
    })
    .from(savedCards)
    .innerJoin(subscriptions, and(eq(subscriptions.brand, savedCards.brand), eq(subscriptions.uid, savedCards.uid)))
    .where(
      and(
        eq(savedCards.cardId, cardId),
        eq(savedCards.brand, brand),
        eq(savedCards.uid, uid),
        eq(savedCards.gateway, gateway),
      ),
    );
  return card?.isAwaited ? card.token : undefined;
}
