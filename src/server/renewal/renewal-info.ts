import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { RenewalInfo } from '#contract/renewal.ts';
import { cardView, ownedCard, type SavedCardRow } from '#server/billing/cards/own-cards.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import { methodsIn, servesCard } from '#server/payments/chargeable.ts';
import type { CustomerContext } from '#server/runtime/request/request-context.ts';
import { periodOwner, periodsOf } from '#server/site/periods.ts';
import { planName } from '#server/site/plan.ts';
import {
  type SubscriptionRow,
  firstChargeTime,
  findRenewalOffer,
  periodPrice,
  renewalOffer,
  type RenewalOffer,
} from '#server/billing/subscriptions/renewal-rules.ts';
import { cardEndsBefore } from './due-step.ts';

const shownCharges = 24;

/** A renewal as it is, or as it would be; `row` is null if it was never turned on. */
interface Standing {
  readonly row: SubscriptionRow | null;
  readonly planId: string;
  readonly currency: string;
  readonly offer: RenewalOffer | undefined;
  readonly paidUntil: number;
  /** access continues until then without payment */
  readonly graceUntil: number | null;
}

/**
 * The customer's renewal, or the one that their plan could have; refuses with `renewalNotFound` if there is neither.
 */
export async function findRenewalStanding(context: CustomerContext<'renewalNotFound'>): Promise<Standing> {
  const { deps, user } = context;
  // read again, because a call that has just charged a card returns the new state
  const [found] = await deps.db
    .select({ row: subscriptions, owner: periodOwner })
    .from(users)
    .leftJoin(subscriptions, and(eq(subscriptions.brand, users.brand), eq(subscriptions.uid, users.uid)))
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
  if (!found) context.refuse('renewalNotFound');
  const { row, owner } = found;
  const { expiredTime, graceUntil } = owner;
  if (row && row.status !== 'off') return { ...row, row, graceUntil, offer: findRenewalOffer(context, row) };
  // the plan that was bought last would renew, from the end of its period
  const periods = await periodsOf(deps.db, owner, deps.clock());
  const planId = periods.findLast((period) => period.kind !== 'grace' && period.planId !== null)?.planId ?? null;
  const runs = planId !== null && expiredTime !== null;
  if (!runs) return row ? { ...row, row, graceUntil, offer: undefined } : context.refuse('renewalNotFound');
  const currency = row?.currency ?? (await lastCurrency(context));
  const offer = await possibleOffer(context, planId, currency);
  if (!row && !offer) context.refuse('renewalNotFound');
  return { row, planId, currency, offer, paidUntil: expiredTime, graceUntil };
}

/** How the plan would renew: with the card used last among those that can be charged, otherwise by the first method. */
async function possibleOffer(
  context: CustomerContext,
  planId: string,
  currency: string,
): Promise<RenewalOffer | undefined> {
  const plan = context.brand.plans.find(({ id }) => id === planId);
  if (!plan) return undefined;
  const offers = methodsIn(context, currency).flatMap((method) => renewalOffer(context, plan, method, currency) ?? []);
  const [first, ...more] = offers;
  if (more.length === 0) return first;
  const cards = await context.deps.db
    .select({ methodCode: savedCards.methodCode, gateway: savedCards.gateway })
    .from(savedCards)
    .where(ownedCard(context))
    .orderBy(desc(savedCards.usedAt));
  const served = cards.filter((card) => servesCard(context, card));
  return served.flatMap((card) => offers.find(({ method }) => method.code === card.methodCode) ?? [])[0] ?? first;
}

/** The currency of the customer's last payment. */
async function lastCurrency({ deps, brand, user }: CustomerContext): Promise<string> {
  const [last] = await deps.db
    .select({ currency: orders.currency })
    .from(orders)
    .where(and(eq(orders.brand, brand.code), eq(orders.uid, user.uid), isNotNull(orders.paidAt)))
    .orderBy(desc(orders.paidAt))
    .limit(1);
  return last?.currency ?? brand.config.payment.defaultCurrency;
}

/** The response of `renewInfo`. */
export async function renewalInfo(context: CustomerContext<'renewalNotFound'>): Promise<RenewalInfo> {
  const now = context.deps.clock();
  const standing = await findRenewalStanding(context);
  const { row, offer, paidUntil, graceUntil } = standing;
  const status = row?.status ?? 'off';
  const card = row?.cardId ? await cardOf(context, row.cardId) : null;
  const terms = termsOf(context, standing, now);
  const charges = status === 'on' || status === 'pastDue' || status === 'renewing';
  return {
    status,
    terms,
    asks: row && row.asks !== null && charges ? { amount: row.asks, currency: row.currency } : null,
    card: card && cardView(card, now, servesCard(context, card)),
    cardLeft: charges && card !== null && !servesCard(context, card),
    cardEndsBefore: charges && cardEndsBefore({ card }, terms.nextChargeAt),
    endsAt: paidUntil,
    graceUntil: charges && graceUntil !== null && graceUntil > now ? graceUntil : null,
    offered: offer !== undefined,
    history: row ? await historyOf(context, row.id) : [],
  };
}

/** The agreed terms or, while renewal is off, the terms of turning it on: today's price. */
function termsOf({ brand, language }: CustomerContext, standing: Standing, now: number): RenewalInfo['terms'] {
  const { row, offer, planId, currency, paidUntil, graceUntil } = standing;
  const isOff = row === null || row.status === 'off' || row.status === 'ended';
  // while it is on, the amount that is charged: a lower price needs no consent
  const amount = isOff ? (offer?.price ?? row?.price ?? 0) : periodPrice(row, offer?.price);
  return {
    planId,
    planName: planName(brand, planId, language) ?? planId,
    price: { amount, currency },
    days: (isOff ? offer?.plan.days : row.days) ?? row?.days ?? 0,
    nextChargeAt: isOff ? firstChargeTime(paidUntil, now) : (row.nextChargeAt ?? graceUntil ?? paidUntil),
  };
}

async function cardOf(context: CustomerContext, cardId: string): Promise<SavedCardRow | null> {
  const [card] = await context.deps.db.select().from(savedCards).where(ownedCard(context, cardId)).limit(1);
  return card ?? null;
}

/** Its charges, newest first, with the card that paid or was tried last. */
async function historyOf(
  { deps, brand, user }: CustomerContext,
  subscriptionId: string,
): Promise<RenewalInfo['history']> {
  const { orderId, createdAt, total, currency, status } = orders;
  const rows = await deps.db
    .selectDistinctOn([orders.period], { orderId, at: createdAt, total, currency, status, last4: savedCards.last4 })
    .from(orders)
    .leftJoin(attempts, eq(attempts.orderId, orders.orderId))
    .leftJoin(savedCards, and(eq(savedCards.cardId, attempts.cardId), eq(savedCards.uid, orders.uid)))
    .where(and(eq(orders.brand, brand.code), eq(orders.uid, user.uid), eq(orders.subscriptionId, subscriptionId)))
    .orderBy(desc(orders.period), desc(sql`${attempts.state} = 'SUCCEEDED'`), desc(attempts.createdAt))
    .limit(shownCharges);
  return rows.map(({ total: amount, currency: code, last4, ...charge }) => ({
    ...charge,
    amount: { amount, currency: code },
    ...(last4 && { last4 }),
  }));
}
