import { and, eq } from 'drizzle-orm';
import * as endpoints from '#contract/index.ts';
import type { RenewalInfo } from '#contract/renewal.ts';
import { attempts } from '#server/db/schema/attempts.ts';
import { orders } from '#server/db/schema/orders.ts';
import { outbox } from '#server/db/schema/outbox.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { sessions, users } from '#server/db/schema/users.ts';
import { renewDue } from '#server/jobs/renew-due.ts';
import { aCard, type Buyer, type Shop, type Wish } from './a-shop.ts';

export const day = 86_400_000;

/** A customer whose plan renews automatically. */
export interface Renewing extends Buyer {
  /** the response of `renewInfo` */
  info(): Promise<RenewalInfo>;
  /** the subscription row in the database */
  row(): Promise<typeof subscriptions.$inferSelect>;
  /** the end of the paid access, and of the grace period */
  access(): Promise<{ paid: number; grace: number | null }>;
  /** the orders of the renewal, oldest period first */
  charges(): Promise<(typeof orders.$inferSelect)[]>;
  /** the kinds of the mails about the renewal, oldest first */
  told(): Promise<Told[]>;
  /** the text of the newest mail of a kind */
  mail(told: Told): Promise<string>;
}

/** The beginnings of the subjects of renewal mails in English, by kind. */
const subjects = {
  notice: 'Your plan renews on',
  refused: 'Your card was declined',
  confirm: 'Please confirm your renewal',
  asks: 'Your plan has a new price',
  card: 'Your card expires before',
  cardLeft: 'Please choose another card',
  ended: 'Your plan has ended',
  off: 'Your plan will no longer renew',
} as const;
export type Told = keyof typeof subjects;

// as: the keys of the table above
const kinds = Object.keys(subjects) as Told[];

/** Buys a month with a saved card and automatic renewal. */
export async function aRenewing(shop: Shop, { card = aCard(), ...wish }: Wish = {}): Promise<Renewing> {
  const ana = await shop.buyer();
  const paid = await ana.pay({ card, renew: true, ...wish });
  if (paid.data.status !== 'PAYMENT_SUCCEEDED') throw new Error(`paying was ${paid.data.status}`);
  return withRenewal(shop, ana);
}

export async function withRenewal(shop: Shop, ana: Buyer): Promise<Renewing> {
  const { db } = shop;
  // months pass in these tests, and the session must not expire meanwhile
  await db
    .update(sessions)
    .set({ expiresAt: shop.clock.now + 3650 * day })
    .where(eq(sessions.uid, ana.uid));
  const mails = async () => {
    const sent = await db.select().from(outbox).where(eq(outbox.recipient, ana.account)).orderBy(outbox.createdAt);
    return sent.flatMap(({ subject, text }) => {
      const kind = kinds.find((one) => subject.startsWith(subjects[one]));
      return kind === undefined ? [] : [{ kind, text }];
    });
  };
  return {
    ...ana,
    info: async () => (await shop.request(endpoints.renewInfo, {}, ana)).data,
    row: async () => {
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.uid, ana.uid));
      if (!row) throw new Error('no subscription');
      return row;
    },
    access: async () => {
      const [user] = await db.select().from(users).where(eq(users.uid, ana.uid));
      return { paid: user?.expiredTime ?? 0, grace: user?.graceUntil ?? null };
    },
    charges: async () => {
      const own = await db
        .select()
        .from(orders)
        .where(and(eq(orders.uid, ana.uid)));
      return own
        .filter(({ subscriptionId }) => subscriptionId !== null)
        .toSorted((one, other) => (one.period ?? 0) - (other.period ?? 0));
    },
    told: async () => (await mails()).map(({ kind }) => kind),
    mail: async (told) => {
      const found = (await mails()).findLast(({ kind }) => kind === told);
      if (!found) throw new Error(`there is no mail of the kind ${told}`);
      return found.text;
    },
  };
}

/** Advances the clock by a number of days and runs the renewal job every few hours. */
export async function advanceDays(shop: Shop, days: number, stepHours = 6): Promise<void> {
  const end = shop.clock.now + days * day;
  while (shop.clock.now < end) {
    shop.clock.advance(Math.min(stepHours * 3_600_000, end - shop.clock.now));
    await renewDue(shop.deps);
  }
}

/** Leaves no subscription of earlier tests due. */
export async function clearRenewals({ db }: Shop): Promise<void> {
  await db.update(subscriptions).set({ dueAt: null });
}

/** A customer whose card was declined at the end of the month, at the time of the first decline. */
export async function aDeclinedRenewal(
  shop: Shop,
  card = aCard('4000000000003022'),
): Promise<{ ana: Renewing; ends: number }> {
  const ana = await aRenewing(shop, { card });
  const ends = shop.clock.now + 30 * day;
  await advanceDays(shop, 29);
  return { ana, ends };
}

/** The attempts of a customer to pay a renewal, oldest first. */
export async function renewalAttempts({ db }: Shop, { uid }: Buyer): Promise<(typeof attempts.$inferSelect)[]> {
  const all = await db.select().from(attempts).where(eq(attempts.uid, uid)).orderBy(attempts.createdAt);
  return all.slice(1);
}

/** The number of renewal charges of a customer that the bank has taken. */
export async function takenRenewals(shop: Shop, { uid }: Buyer): Promise<number> {
  const { charges, attempts: tries } = await shop.books();
  const keys = new Set(
    tries.filter((one) => one.uid === uid && one.idempotencyKey.startsWith('renewal')).map(({ id }) => id),
  );
  return charges.filter(({ key, status }) => keys.has(key) && status === 'paid').length;
}
