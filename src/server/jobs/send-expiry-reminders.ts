import { and, asc, eq, lte } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { pushMessages, pushSubscriptions } from '#server/db/schema/push.ts';
import { subscriptions } from '#server/db/schema/subscriptions.ts';
import { users } from '#server/db/schema/users.ts';
import type { Deps } from '#server/deps.ts';
import { dueReminder, nextReminderAt } from '#server/messages/push/write-push.ts';
import { runInBatches } from './run-concurrently.ts';

const batch = 50;

/**
 * Writes the reminders that are due to subscribed browsers (`push/write-push.ts`) and schedules the next check of each.
 * One transaction per batch, so a crash neither loses nor repeats a reminder. Returns how many browsers were checked.
 */
export function sendExpiryReminders({ db, clock }: Deps, stopping?: AbortSignal): Promise<number> {
  return runInBatches({ full: batch, stopping }, () => db.transaction((tx) => remindSome(tx, clock())));
}

async function remindSome(tx: Database, now: number): Promise<number> {
  const due = await tx
    .select({
      subscription: pushSubscriptions,
      endsAt: users.expiredTime,
      renewal: subscriptions.status,
      asks: subscriptions.asks,
    })
    .from(pushSubscriptions)
    .innerJoin(users, and(eq(users.uid, pushSubscriptions.uid), eq(users.brand, pushSubscriptions.brand)))
    .leftJoin(subscriptions, and(eq(subscriptions.uid, users.uid), eq(subscriptions.brand, users.brand)))
    .where(lte(pushSubscriptions.remindAt, now))
    .orderBy(asc(pushSubscriptions.remindAt))
    .limit(batch)
    .for('update', { of: pushSubscriptions, skipLocked: true });
  for (const { subscription, endsAt, renewal, asks } of due) {
    // a plan that renews does not end, and a refused card is reported by email
    const goesOn = renewal === 'renewing' || renewal === 'pastDue' || (renewal === 'on' && asks === null);
    const days = dueReminder(subscription, endsAt, now);
    const isDue = days !== undefined && endsAt !== null && !goesOn;
    if (isDue) await writeReminder(tx, subscription, { endsAt, days, now });
    await tx
      .update(pushSubscriptions)
      .set({ remindAt: nextReminderAt(endsAt, now), ...(isDue && { remindedEnd: endsAt, remindedDays: days }) })
      .where(eq(pushSubscriptions.id, subscription.id));
  }
  return due.length;
}

type Subscription = typeof pushSubscriptions.$inferSelect;

async function writeReminder(
  tx: Database,
  { id, brand, uid }: Subscription,
  { endsAt, days, now }: { endsAt: number; days: number; now: number },
): Promise<void> {
  await tx
    .insert(pushMessages)
    .values({
      id: `${id} ends ${endsAt} ${days}`,
      subscriptionId: id,
      brand,
      uid,
      kind: 'ends',
      endsAt,
      createdAt: now,
      // a reminder after the end is useless
      expiresAt: endsAt,
      nextTryAt: now,
    })
    .onConflictDoNothing();
}
