import { isLoginBlocked, numberOf } from '#server/auth/users.ts';
import { makeMailLink } from '#server/auth/mail-links.ts';
import { placeOrder, throwCouponRefusal } from '#server/billing/place-order.ts';
import type { Database } from '#server/db/connect.ts';
import type { Purchase } from '#server/db/purchase-rows.ts';
import type { Deps } from '#server/deps.ts';
import { gatewayOf, servesCard } from '#server/payments/chargeable.ts';
import { renewalCardMail, renewalNoticeMail } from '#server/messages/renewal-mails.ts';
import { renewalEndedMail, renewalPriceMail } from '#server/messages/renewal-chosen-mail.ts';
import { queueEvent } from '#server/messages/webhooks/queue-event.ts';
import {
  updateSubscription,
  factsOf,
  rescheduleCharge,
  calculateGraceEnd,
  lockRenewal,
  lockTries,
  setGrace,
  notifyCustomer,
  type CardRow,
  type LockedRenewal,
} from '#server/billing/subscriptions/lock-renewal.ts';
import { recordMissingCard, turnOff } from '#server/billing/subscriptions/record-refusal.ts';
import {
  graceEnd,
  latestNoticeMs,
  requireNextStatus,
  nextPeriod,
  type SubscriptionRow,
  findRenewalOffer,
  type RenewalOffer,
} from '#server/billing/subscriptions/renewal-rules.ts';
import { chargeRenewal, renewalAttempt, renewalOrder } from './charge.ts';
import { cardEndsBefore, dueStep, type DueStep } from './due-step.ts';
import {
  retryCharge,
  checkChargeOutcome,
  outcomeCheckDelayMs,
  type PlacedCharge,
  recheckCharge,
} from './charge-attempts.ts';

type Who = Pick<SubscriptionRow, 'brand' | 'uid'>;

interface Due extends Who {
  /** as claimed; null where this period has no attempt yet, so there is nothing to lock (`lockTries`) */
  readonly orderId?: string | null;
}

/**
 * Does what is due about a customer's renewal: an email, a charge or its end. The decision is written in one
 * transaction with the subscription locked; the charge is sent after it ([Note: Two phases]).
 */
export async function processRenewal(deps: Deps, { brand, uid, orderId }: Due): Promise<void> {
  const who = { brand, uid };
  const purchase = await deps.db.transaction(async (tx) => {
    if (orderId !== null) await lockTries(tx, who);
    return decide(tx, deps, who);
  });
  if (purchase) await chargeRenewal(deps, purchase);
}

async function decide(tx: Database, deps: Deps, who: Who): Promise<Purchase | undefined> {
  const held = await lockRenewal(tx, who, deps);
  if (!held) return undefined;
  const now = deps.clock();
  const offer = findRenewalOffer({ brand: held.brand, deps }, held.row);
  const step = dueStep(held, offer, now);
  if (needsOutside.has(step.does) && isServiceMissing(held, deps)) {
    deps.log.warn(
      { uid: who.uid },
      'a renewal waits for a gateway or for SMS, which this shop is set to have no longer',
    );
    await updateSubscription(tx, held, now, { dueAt: now + outcomeCheckDelayMs });
    return undefined;
  }
  return applyStep(tx, deps, held, step);
}

async function applyStep(tx: Database, deps: Deps, held: LockedRenewal, step: DueStep): Promise<Purchase | undefined> {
  const now = deps.clock();
  switch (step.does) {
    case 'wait':
      await updateSubscription(tx, held, now, { dueAt: step.until });
      return undefined;
    case 'follow':
      await rescheduleCharge(tx, held.row, deps);
      return undefined;
    case 'look':
      await checkChargeOutcome(tx, deps, held);
      return undefined;
    case 'end':
      await end(tx, deps, held, step.told);
      return undefined;
    case 'withdraw':
      await turnOff(tx, deps, held, { by: 'shop' });
      return undefined;
    case 'ask':
      await ask(tx, deps, held, step.price);
      return undefined;
    case 'notice':
      await notice(tx, deps, held, step.price);
      return undefined;
    case 'check charge':
      return recheckCharge(tx, deps, held);
    case 'charge':
      return charge(tx, deps, held, step.offer);
  }
}

/** Steps that need a bank or a channel to the customer. */
const needsOutside: ReadonlySet<DueStep['does']> = new Set(['withdraw', 'ask', 'notice', 'charge', 'check charge']);

/**
 * Whether a gateway or the SMS provider that this renewal needs is not configured at present. Such a renewal waits: it
 * is neither cancelled nor charged without notice, for as long as a refused charge would be retried.
 */
function isServiceMissing({ row, user, brand }: LockedRenewal, { gateways, sms, clock }: Deps): boolean {
  if (isLoginBlocked(user) || user.leavesAt !== null || clock() >= graceEnd(row.paidUntil, row.days)) return false;
  const method = brand.methods.find(({ code }) => code === row.methodCode);
  if (method && !gatewayOf(gateways, method.gateway)) return true;
  return user.email === null && numberOf(user) !== null && !sms;
}

async function end(tx: Database, deps: Deps, held: LockedRenewal, told: boolean): Promise<void> {
  const { row, brand, user } = held;
  await setGrace(tx, held, null);
  const status = requireNextStatus(row, 'ranOut');
  await updateSubscription(tx, held, deps.clock(), { ...nextPeriod(row), status, nextChargeAt: null, dueAt: null });
  const { planId } = row;
  await queueEvent(tx, brand, { type: 'renewal.ended', data: { uid: user.uid, planId } }, deps);
  const mail = () => renewalEndedMail(brand, user.language, { ...factsOf(held), planId });
  if (told) await notifyCustomer(tx, held, { mail, sms: { kind: 'ended', planId } }, deps);
}

async function ask(tx: Database, deps: Deps, held: LockedRenewal, price: number): Promise<void> {
  const { row, brand, user } = held;
  const now = deps.clock();
  const chargeAt = row.nextChargeAt ?? row.paidUntil;
  const dueAt = now < chargeAt ? chargeAt : row.paidUntil;
  await updateSubscription(tx, held, now, { asks: price, noticed: row.period, toldPrice: null, dueAt });
  const newPrice = { amount: price, currency: row.currency };
  const asked = { newPrice, endsAt: row.paidUntil };
  const mail = () => renewalPriceMail(brand, user.language, { ...factsOf(held), ...asked });
  await notifyCustomer(tx, held, { mail, sms: { kind: 'asks', ...asked } }, deps);
}

/**
 * A late notice leaves the customer a day to stop the charge, with grace so that access continues. A customer without
 * an email address and a phone number cannot be notified, so the renewal is turned off.
 */
async function notice(tx: Database, deps: Deps, held: LockedRenewal, price: number): Promise<void> {
  const { row, brand, user } = held;
  const now = deps.clock();
  const number = deps.sms ? numberOf(user) : null;
  const email = user.email ?? number;
  if (email === null) return turnOff(tx, deps, held, { by: 'shop' });
  const chargeAt = Math.max(row.nextChargeAt ?? row.paidUntil, now + latestNoticeMs);
  const grace = graceEnd(row.paidUntil, row.days);
  if (chargeAt > row.paidUntil && grace > now) await setGrace(tx, held, grace);
  const isLeft = held.card !== null && !servesCard({ brand, deps }, held.card);
  const cardEnds = isLeft || cardEndsBefore(held, chargeAt);
  await updateSubscription(tx, held, now, {
    asks: null,
    noticed: row.period,
    nextChargeAt: chargeAt,
    dueAt: chargeAt,
    cardTold: row.cardTold || cardEnds,
    toldPrice: price,
  });
  const { language } = user;
  const facts = factsOf(held, price);
  const url = await makeMailLink(tx, { brand, uid: row.uid, purpose: 'renewal', email, language }, deps);
  const told = { chargeAt, url, price: facts.price };
  const mail = () => renewalNoticeMail(brand, language, { ...facts, ...told });
  await notifyCustomer(
    tx,
    held,
    { mail, sms: { kind: 'notice', isPaypal: facts.account !== undefined, ...told } },
    deps,
  );
  if (!cardEnds || row.cardTold) return;
  const ofCard = () => renewalCardMail(brand, language, { ...facts, chargeAt, isLeft });
  await notifyCustomer(tx, held, { mail: ofCard, sms: { kind: 'card', chargeAt, isLeft } }, deps);
}

/** The first phase: writes the order and the attempt, and the renewal waits for their outcome. */
async function charge(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  offer: RenewalOffer,
): Promise<Purchase | undefined> {
  const { row, user, card } = held;
  const now = deps.clock();
  if (!card || card.gateway !== offer.method.gateway) {
    await recordMissingCard(tx, deps, held);
    return undefined;
  }
  const placed =
    row.orderId === null ? await first(tx, deps, held, card, offer) : await retryCharge(tx, deps, held, card, offer);
  if (!placed) return undefined;
  const grace = calculateGraceEnd(held, now);
  const graceUntil = grace !== null && grace > now ? grace : user.graceUntil;
  await setGrace(tx, held, graceUntil);
  await updateSubscription(tx, held, now, {
    status: requireNextStatus(row, 'charging'),
    orderId: placed.order.orderId,
    dueAt: now + outcomeCheckDelayMs,
  });
  const { uid, email, language, expiredTime, leavesAt } = user;
  return {
    ...placed,
    customer: { uid, email, language, expiredTime, leavesAt, graceUntil },
  };
}

/** Waits for no other lock: all rows are new, and unique by the locked subscription. */
async function first(
  tx: Database,
  deps: Deps,
  held: LockedRenewal,
  card: CardRow,
  offer: RenewalOffer,
): Promise<PlacedCharge> {
  const order = renewalOrder(held, offer, deps);
  const attempt = renewalAttempt(held, order, card, deps);
  await placeOrder(throwCouponRefusal, tx, order, attempt);
  return { order, attempt };
}
