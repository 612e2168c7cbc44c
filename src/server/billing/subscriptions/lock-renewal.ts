import { and, asc, eq, sql } from 'drizzle-orm';
import { lockCustomer, isPhoneVerified, numberOf, type UserRow } from '#server/auth/users.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/messages/message-requests.ts';
import { queueSms, type SmsDeps } from '#server/messages/sms-budget.ts';
import { renewalSms, type RenewalSms } from '#server/messages/renewal-sms.ts';
import { renewalChosenMail, type RenewalChoice } from '#server/messages/renewal-chosen-mail.ts';
import type { MailText } from '#server/messages/mail-html.ts';
import type { RenewalFacts } from '#server/messages/renewal-mails.ts';
import { planName } from '#server/site/plan.ts';
import { type SubscriptionRow, chargeTime, graceEnd } from './renewal-rules.ts';

export type CardRow = typeof savedCards.$inferSelect;
export type RenewalDeps = SmsDeps & Pick<Deps, 'db' | 'catalog' | 'sms'>;

/** A subscription with everything that decisions about it need, locked until the transaction ends. */
export interface LockedRenewal {
  readonly row: SubscriptionRow;
  readonly user: UserRow;
  readonly brand: Brand;
  /** null when no card was chosen, or it was deleted */
  readonly card: CardRow | null;
}

type Owner = Pick<SubscriptionRow, 'brand' | 'uid'>;

export const isCustomerSubscription = ({ brand, uid }: Owner) =>
  and(eq(subscriptions.brand, brand), eq(subscriptions.uid, uid));

/**
 * Locks the attempts of this period before the customer: a transaction that records late money has locked the attempt
 * and waits for the customer, so the reverse order would deadlock.
 */
export async function lockTries(tx: Database, who: Owner): Promise<void> {
  const period = tx.select({ orderId: subscriptions.orderId }).from(subscriptions).where(isCustomerSubscription(who));
  await tx
    .select({ id: attempts.id })
    .from(attempts)
    .where(sql`${attempts.orderId} = ${period}`)
    .orderBy(asc(attempts.id))
    .for('update');
}

/** Also locks their order, for a caller that may end it. */
export async function lockCharge(tx: Database, who: Owner): Promise<void> {
  await lockTries(tx, who);
  const period = tx.select({ orderId: subscriptions.orderId }).from(subscriptions).where(isCustomerSubscription(who));
  await tx
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(sql`${orders.orderId} = ${period}`)
    .for('update');
}

/**
 * Locks a customer's renewal; undefined when it does not exist. The lock order is attempt, order, customer, subscription.
 */
export async function lockRenewal(
  tx: Database,
  who: Owner,
  { catalog }: Pick<Deps, 'catalog'>,
): Promise<LockedRenewal | undefined> {
  const user = await lockCustomer(tx, who);
  const brand = catalog.byCode(who.brand);
  if (!user || !brand) return undefined;
  const [found] = await tx
    .select({ row: subscriptions, card: savedCards })
    .from(subscriptions)
    .leftJoin(savedCards, and(eq(savedCards.cardId, subscriptions.cardId), eq(savedCards.uid, subscriptions.uid)))
    .where(isCustomerSubscription(who))
    .for('update', { of: subscriptions });
  return found && { ...found, user, brand };
}

type Change = Partial<typeof subscriptions.$inferInsert>;

/** Updates a locked subscription. */
export async function updateSubscription(
  tx: Database,
  { row }: Pick<LockedRenewal, 'row'>,
  now: number,
  columns: Change,
): Promise<void> {
  await tx
    .update(subscriptions)
    .set({ ...columns, updatedAt: now })
    .where(eq(subscriptions.id, row.id));
}

/**
 * Until when access continues while a charge is retried, in epoch milliseconds. Null after a grace without a paid
 * renewal since; otherwise a card that is always declined would give free days after every manual purchase. A grace
 * that has begun continues.
 */
export function calculateGraceEnd({ row, user }: Pick<LockedRenewal, 'row' | 'user'>, now: number): number | null {
  const runs = user.graceUntil !== null && user.graceUntil > now;
  return row.graceSpent && !runs ? null : graceEnd(row.paidUntil, row.days);
}

/** Sets the end of unpaid access, or removes it with null ([Note: Grace]). */
export async function setGrace(
  tx: Database,
  { user }: Pick<LockedRenewal, 'user'>,
  graceUntil: number | null,
): Promise<void> {
  if (user.graceUntil === graceUntil) return;
  await tx
    .update(users)
    .set({ graceUntil })
    .where(and(eq(users.brand, user.brand), eq(users.uid, user.uid)));
}

/**
 * Moves the next charge when paid days were revoked, so that its notice is sent again. Runs in the transaction that
 * revokes them.
 */
export async function rescheduleCharge(tx: Database, who: Owner, deps: Pick<Deps, 'catalog' | 'clock'>): Promise<void> {
  const renewal = await lockRenewal(tx, who, deps);
  const paidUntil = renewal?.user.expiredTime;
  if (!renewal || paidUntil === null || paidUntil === undefined) return;
  const now = deps.clock();
  if (renewal.row.status === 'off') await updateSubscription(tx, renewal, now, { paidUntil, dueAt: paidUntil });
  await followUnpaid(tx, renewal, paidUntil, now);
  if (renewal.row.status !== 'on') return;
  await updateSubscription(tx, renewal, now, {
    paidUntil,
    nextChargeAt: chargeTime(paidUntil),
    noticed: 0,
    dueAt: now,
  });
}

/** Moves the end of grace, and of a running charge's period, with the end of the paid days. */
async function followUnpaid(tx: Database, held: LockedRenewal, paidUntil: number, now: number): Promise<void> {
  const { row, user } = held;
  const end = graceEnd(paidUntil, row.days);
  if (user.graceUntil !== null) await setGrace(tx, held, Math.min(user.graceUntil, end));
  if (row.status === 'renewing') await updateSubscription(tx, held, now, { paidUntil });
  if (row.status === 'pastDue')
    await updateSubscription(tx, held, now, { paidUntil, dueAt: Math.min(row.dueAt ?? end, end) });
}

/** The facts of each email about a renewal; `price` if it is lower than the agreed one. */
export function factsOf({ row, user, brand, card }: LockedRenewal, price: number = row.price): RenewalFacts {
  return {
    planName: planName(brand, row.planId, user.language) ?? row.planId,
    price: { amount: price, currency: row.currency },
    last4: card?.last4 || null,
    account: card?.account ?? undefined,
  };
}

/** A message as an email and as an SMS for customers without an email address; `sms` is null if none is sent. */
interface RenewalMessage {
  readonly mail: () => MailText;
  readonly sms: RenewalSms | null;
}

/** Longer than an outage of an SMS provider, and short enough that the message is still true. */
const smsLifetimeMs = 3 * 86_400_000;

/**
 * Whether an SMS announces a charge or its retry, or requests consent to a higher price. Other facts are shown in the
 * account.
 */
const announcesCharge = (sms: RenewalSms): boolean =>
  sms.kind === 'notice' || sms.kind === 'asks' || (sms.kind === 'refused' && sms.retryAt !== null);

/**
 * Queues a message about a renewal in the transaction of the event: an email, or an SMS for an account without an email
 * address. The outbox sends it.
 */
export async function notifyCustomer(
  tx: Database,
  { user, brand }: LockedRenewal,
  { mail, sms }: RenewalMessage,
  deps: SmsDeps & Pick<Deps, 'sms'>,
): Promise<void> {
  if (user.email !== null) return queueMail(tx, { brand, to: user.email, ...mail() }, deps);
  const to = numberOf(user);
  if (to === null || sms === null || !deps.sms) return;
  const text = renewalSms(brand, user.language, sms);
  await queueSms(
    tx,
    { brand, to, text, isProved: isPhoneVerified(user), lifetimeMs: smsLifetimeMs, isRequired: announcesCharge(sms) },
    deps,
  );
}

/** Confirms by email a customer's choice about a renewal, in the transaction that writes it. */
export async function confirmChoice(
  tx: Database,
  who: { readonly brand: string; readonly uid: string },
  deps: SmsDeps & Pick<Deps, 'catalog' | 'sms'>,
  chose: RenewalChoice,
): Promise<void> {
  const held = await lockRenewal(tx, who, deps);
  const chargeAt = held?.row.nextChargeAt ?? null;
  if (!held || chargeAt === null) return;
  const { brand, user } = held;
  const mail = () => renewalChosenMail(brand, user.language, { ...factsOf(held), chargeAt, chose });
  await notifyCustomer(tx, held, { mail, sms: null }, deps);
}

/** Whether a card is the one that a renewal charges. */
export async function isRenewalCard(db: Database, who: Owner, cardId: string): Promise<boolean> {
  const rows = await db
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .where(and(isCustomerSubscription(who), eq(subscriptions.cardId, cardId)));
  return rows.some(({ status }) => status !== 'off' && status !== 'ended');
}
