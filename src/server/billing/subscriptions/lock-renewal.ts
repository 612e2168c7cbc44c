import { and, asc, eq, sql } from 'drizzle-orm';
import { lockCustomer } from '#server/auth/evict.ts';
import { isNumberProved, numberOf, type UserRow } from '#server/auth/find-user.ts';
import type { Brand } from '#server/brand/catalog.ts';
import type { Database } from '#server/db/connect.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { savedCards } from '#server/db/schema/cards.ts';
import { orders } from '#server/db/schema/orders.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { queueMail } from '#server/messages/outbox.ts';
import { queueSms, type SmsDeps } from '#server/messages/sms-budget.ts';
import { renewalSms, type RenewalSms } from '#server/messages/renewal-sms.ts';
import type { MailText } from '#server/messages/mail-text.ts';
import type { RenewalFacts } from '#server/messages/renewal-mails.ts';
import { planName } from '#server/site/plans.ts';
import type { SubscriptionRow } from './moves.ts';
import { chargeTime, graceEnd } from './times.ts';

export type CardRow = typeof savedCards.$inferSelect;
export type RenewalDeps = SmsDeps & Pick<Deps, 'db' | 'catalog' | 'sms'>;

/** A subscription with everything that is decided by, held until the transaction ends. */
export interface LockedRenewal {
  readonly row: SubscriptionRow;
  readonly user: UserRow;
  readonly brand: Brand;
  /** null where it was never chosen or is gone */
  readonly card: CardRow | null;
}

type Who = Pick<SubscriptionRow, 'brand' | 'uid'>;

export const ofCustomer = ({ brand, uid }: Who) => and(eq(subscriptions.brand, brand), eq(subscriptions.uid, uid));

/**
 * The tries of this period, before the customer is held: money that comes late for one that failed is being written with
 * the try held and wants the customer, and another try would wait for it.
 */
export async function lockTries(tx: Database, who: Who): Promise<void> {
  const period = tx.select({ orderId: subscriptions.orderId }).from(subscriptions).where(ofCustomer(who));
  await tx
    .select({ id: attempts.id })
    .from(attempts)
    .where(sql`${attempts.orderId} = ${period}`)
    .orderBy(asc(attempts.id))
    .for('update');
}

/** The same, and then the order that they are for: for whoever may end it. */
export async function lockCharge(tx: Database, who: Who): Promise<void> {
  await lockTries(tx, who);
  const period = tx.select({ orderId: subscriptions.orderId }).from(subscriptions).where(ofCustomer(who));
  await tx
    .select({ orderId: orders.orderId })
    .from(orders)
    .where(sql`${orders.orderId} = ${period}`)
    .for('update');
}

/**
 * Holds a customer's renewal; undefined where there is none. The customer's row comes first, as everywhere: who holds more
 * than one row holds them in the order attempt, order, customer, subscription.
 */
export async function lockRenewal(
  tx: Database,
  who: Who,
  { catalog }: Pick<Deps, 'catalog'>,
): Promise<LockedRenewal | undefined> {
  const user = await lockCustomer(tx, who);
  const brand = catalog.byCode(who.brand);
  if (!user || !brand) return undefined;
  const [found] = await tx
    .select({ row: subscriptions, card: savedCards })
    .from(subscriptions)
    .leftJoin(savedCards, and(eq(savedCards.cardId, subscriptions.cardId), eq(savedCards.uid, subscriptions.uid)))
    .where(ofCustomer(who))
    .for('update', { of: subscriptions });
  return found && { ...found, user, brand };
}

type Change = Partial<typeof subscriptions.$inferInsert>;

/** Writes a subscription that is held. */
export async function change(
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
 * Until when access goes on while a charge is tried, in epoch milliseconds; null if the customer has had grace and no
 * renewal has been paid since: otherwise a card that is always refused would give free days after every manual purchase.
 * Grace that has begun is kept.
 */
export function graceFor({ row, user }: Pick<LockedRenewal, 'row' | 'user'>, now: number): number | null {
  const runs = user.graceUntil !== null && user.graceUntil > now;
  return row.graceSpent && !runs ? null : graceEnd(row.paidUntil, row.days);
}

/** Lets access go on until then without being paid, or takes that back (null) ([Note: Grace]). */
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
 * What was paid ends at another time, because days were taken back: the next charge moves with it, and its notice is
 * written anew. Runs in the transaction that takes them.
 */
export async function followService(tx: Database, who: Who, deps: Pick<Deps, 'catalog' | 'clock'>): Promise<void> {
  const held = await lockRenewal(tx, who, deps);
  const paidUntil = held?.user.expiredTime;
  if (!held || paidUntil === null || paidUntil === undefined) return;
  const now = deps.clock();
  if (held.row.status === 'off') await change(tx, held, now, { paidUntil, dueAt: paidUntil });
  await followUnpaid(tx, held, paidUntil, now);
  if (held.row.status !== 'on') return;
  await change(tx, held, now, { paidUntil, nextChargeAt: chargeTime(paidUntil), noticed: 0, dueAt: now });
}

/** Access on credit, and whether days are there before a charge that is being made, count from the end of what is paid. */
async function followUnpaid(tx: Database, held: LockedRenewal, paidUntil: number, now: number): Promise<void> {
  const { row, user } = held;
  const end = graceEnd(paidUntil, row.days);
  if (user.graceUntil !== null) await setGrace(tx, held, Math.min(user.graceUntil, end));
  if (row.status === 'renewing') await change(tx, held, now, { paidUntil });
  if (row.status === 'pastDue') await change(tx, held, now, { paidUntil, dueAt: Math.min(row.dueAt ?? end, end) });
}

/** What every mail about a renewal tells; `price` where it is lower than the one that was agreed to. */
export function factsOf({ row, user, brand, card }: LockedRenewal, price: number = row.price): RenewalFacts {
  return {
    planName: planName(brand, row.planId, user.language) ?? row.planId,
    price: { amount: price, currency: row.currency },
    last4: card?.last4 ?? null,
  };
}

/** The same to be told twice: as a mail, and in a sentence to who has a number alone; null where that hears nothing. */
export interface RenewalMessage {
  readonly mail: () => MailText;
  readonly sms: RenewalSms | null;
}

/** Longer than an SMS provider is away, and short enough that what it tells is still so. */
const smsLifetimeMs = 3 * 86_400_000;

/** Whether an SMS announces a charge or its next try, or requests consent to a higher price; the account shows the others. */
const announcesCharge = (sms: RenewalSms): boolean =>
  sms.tells === 'notice' || sms.tells === 'asks' || (sms.tells === 'refused' && sms.retryAt !== null);

/**
 * Writes to the customer, in the transaction of what it tells of: a mail, or an SMS to an account without an address. What
 * is written there is sent by the outbox, as codes are.
 */
export async function tell(
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
    { brand, to, text, isProved: isNumberProved(user), lifetimeMs: smsLifetimeMs, isRequired: announcesCharge(sms) },
    deps,
  );
}

/** Whether a card is the one that a renewal charges. */
export async function isCharged(db: Database, who: Who, cardId: string): Promise<boolean> {
  const rows = await db
    .select({ status: subscriptions.status })
    .from(subscriptions)
    .where(and(ofCustomer(who), eq(subscriptions.cardId, cardId)));
  return rows.some(({ status }) => status !== 'off' && status !== 'ended');
}
