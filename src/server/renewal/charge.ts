import { and, eq, sql } from 'drizzle-orm';
import { applyGatewayResult } from '#server/billing/apply-gateway-result.ts';
import type { Database } from '#server/db/connect.ts';
import { attemptTerms, type AttemptRow, type OrderRow, type Purchase } from '#server/db/purchase-rows.ts';
import { attempts, ownKeyPrefix, type AttemptTerms } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import type { Deps } from '#server/deps.ts';
import { idNamed } from '#server/runtime/random.ts';
import { gatewayOf } from '#server/payments/chargeable.ts';
import type { GatewayAnswer } from '#server/payments/gateway.ts';
import type { CardRow, LockedRenewal } from '#server/billing/subscriptions/lock-renewal.ts';
import type { SubscriptionRow } from '#server/billing/subscriptions/moves.ts';
import { periodPrice, type Offer } from '#server/billing/subscriptions/offer.ts';

type ClockAndRandom = Pick<Deps, 'clock' | 'random'>;

/**
 * [Note: Renewal key] What makes a second charge of a period impossible: its order is unique by subscription and period,
 * and each try is an attempt whose key says which try of which period it is. Customers' own keys are UUIDs.
 */
export const keyOf = ({ id, period, refusals }: Pick<SubscriptionRow, 'id' | 'period' | 'refusals'>) =>
  `${ownKeyPrefix}${id} ${period} ${refusals}`;

/** Whether the shop made this try by itself; one of the customer's own for the same order is none of its business. */
export function isOwnTry({ idempotencyKey }: Pick<AttemptRow, 'idempotencyKey'>): boolean {
  return idempotencyKey.startsWith(ownKeyPrefix);
}

/** The order of a period, at the price that was agreed to and told, or a lower one. */
export function renewalOrder({ row }: LockedRenewal, offer: Offer, { clock, random }: ClockAndRandom): OrderRow {
  const { plan } = offer;
  return {
    ...renewalTerms(row, offer),
    orderId: random.orderId(),
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
    // its payer has nothing to do: it is not offered to be paid while the bank is asked
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

/** How it is paid, also when its customer has tried another way meanwhile. */
export function renewalTerms(row: LockedRenewal['row'], { plan, method, price }: Offer) {
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

/** One try to charge the card. */
export function renewalAttempt(
  { row }: LockedRenewal,
  order: Pick<OrderRow, 'orderId' | 'total' | keyof AttemptTerms>,
  card: CardRow,
  { clock }: Pick<Deps, 'clock'>,
): AttemptRow {
  const now = clock();
  return {
    // known before it is made: a shop that was restored asks its gateway about it by this name ([Note: Held renewals])
    id: idNamed(keyOf(row)),
    orderId: order.orderId,
    brand: row.brand,
    uid: row.uid,
    idempotencyKey: keyOf(row),
    requestHash: keyOf(row),
    gateway: card.gateway,
    methodCode: row.methodCode,
    amount: order.total,
    currency: row.currency,
    installments: 1,
    terms: attemptTerms(order),
    cardId: card.cardId,
    cardLast4: card.last4,
    // who turned the renewal on has said it with the order of then; nobody is here to be asked
    buyerSealed: null,
    buyer: null,
    renewPrice: null,
    state: 'INTENT',
    providerRef: null,
    next: null,
    failureCode: null,
    askedAt: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
  };
}

/** How long a gateway surely remembers a key, so that asking again charges nothing twice, in milliseconds: a day. */
const keyKeptMs = 24 * 60 * 60_000;

/**
 * The second phase ([Note: Two phases]): charges the card of an attempt that is committed, and writes the answer. Safe to
 * repeat, because the key charges once: so a process that ended before it had asked is made up for, where asking what
 * became of the key would close it and tell a customer of a refusal that nobody uttered.
 */
export async function chargeRenewal(deps: Deps, purchase: Purchase): Promise<void> {
  await applyGatewayResult(deps, purchase, await charged(deps, purchase));
}

async function charged(deps: Deps, { order, attempt, customer }: Purchase): Promise<GatewayAnswer> {
  const gateway = gatewayOf(deps.gateways, attempt.gateway);
  const token = await tokenOf(deps.db, { order, attempt });
  if (!gateway) return { state: 'unknown' };
  const isOld = deps.clock() - attempt.createdAt > keyKeptMs;
  // without a card, when the renewal was taken back, or its key may be forgotten: what became of it, and no more
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

/** [Note: Calling off] False where the charge was called off since, or has ended: then nobody is asked for it. */
async function noteAsked({ db, clock }: Pick<Deps, 'db' | 'clock'>, { id }: AttemptRow): Promise<boolean> {
  const asked = await db
    .update(attempts)
    .set({ askedAt: sql`coalesce(${attempts.askedAt}, ${clock()}::bigint)` })
    .where(and(eq(attempts.id, id), sql`${attempts.state} || '' = 'INTENT'`))
    .returning({ id: attempts.id });
  return asked.length > 0;
}

/** The card to charge, as long as the renewal waits for this order: whoever has stopped it in between is not charged. */
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
