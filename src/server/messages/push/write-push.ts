import type { PushMessage } from '#contract/push.ts';
import type { Brand } from '#server/brand/catalog.ts';
import { formatDay, i18nIn } from '#server/brand/i18n.ts';
import { pushMessages, pushWatches, type pushSubscriptions } from '#server/db/schema/push.ts';
import { sql, type SQL } from 'drizzle-orm';

/** How long the news of a payment is useful, in milliseconds. */
const paidLifetimeMs = 24 * 60 * 60_000;

/**
 * Two CTEs that queue a push message for every browser that watches an order that is now paid: `told` deletes the
 * watches, `pushed` inserts a message for each. `which` selects the watches, with the full table name. Each watch is
 * deleted once, even by concurrent callers.
 */
export function queuePaidPush(which: SQL, now: number): SQL {
  return sql`told as (
      delete from ${pushWatches} where ${which}
      returning subscription_id, order_id, brand, uid
    ), pushed as (
      insert into ${pushMessages} (id, subscription_id, brand, uid, kind, order_id, created_at, expires_at, next_try_at)
      select subscription_id || ' paid ' || order_id, subscription_id, brand, uid, 'paid', order_id, ${now}::bigint,
        ${now + paidLifetimeMs}::bigint, ${now}::bigint
      from told
      on conflict (id) do nothing
    )`;
}

type Message = Pick<typeof pushMessages.$inferSelect, 'kind' | 'orderId' | 'endsAt'>;
type Reader = Pick<typeof pushSubscriptions.$inferSelect, 'language'>;

/**
 * The payload of a message, in the reader's language. A locked screen shows it under the brand's name, so it contains
 * no name, amount or plan.
 */
export function writePush(
  brand: Pick<Brand, 'name' | 'tenantId' | 'wordings' | 'config'>,
  { language }: Reader,
  { kind, orderId, endsAt }: Message,
): PushMessage {
  const { name, tenantId } = brand;
  const i18n = i18nIn(language, brand);
  const icon = `/icons/${encodeURIComponent(tenantId)}/icon-192.png`;
  const given = { title: name.slice(0, 80), language, icon };
  if (kind === 'ends') {
    const values = { at: endsAt === null ? '' : formatDay(brand, language, endsAt) };
    const body = i18n._({ id: 'push.ends', message: 'Your access ends on {at}.', values });
    return { ...given, body, at: null, tag: 'access', path: '/account' };
  }
  const query = new URLSearchParams({ orderId: orderId ?? '' });
  const body = i18n._({ id: 'push.paid', message: 'Your payment has arrived.' });
  return { ...given, body, at: null, tag: `paid ${orderId}`, path: `/paymentResult?${query.toString()}` };
}

const dayMs = 86_400_000;

/** How many days before the end of access a reminder is sent. */
const reminderDays = [3, 1] as const;
type ReminderDays = (typeof reminderDays)[number];

/** Purchases and refunds move the end without notifying this job, so it checks at least once a day. */
const longestMs = dayMs;

/** The latest reminder that is due, sent or not; undefined before the first and after the end. */
export function reminderAt(endsAt: number | null, now: number): ReminderDays | undefined {
  if (endsAt === null || endsAt <= now) return undefined;
  return reminderDays.findLast((days) => endsAt - now <= days * dayMs);
}

type Reminded = Pick<typeof pushSubscriptions.$inferSelect, 'remindedEnd' | 'remindedDays'>;

/** The reminder to send now: each once per end of access, and none that a later one replaces. */
export function dueReminder(
  { remindedEnd, remindedDays }: Reminded,
  endsAt: number | null,
  now: number,
): ReminderDays | undefined {
  const days = reminderAt(endsAt, now);
  if (days === undefined) return undefined;
  const isSaid = remindedEnd === endsAt && remindedDays !== null && remindedDays <= days;
  return isSaid ? undefined : days;
}

/** The next time to check, in epoch milliseconds. */
export function nextReminderAt(endsAt: number | null, now: number): number {
  const moments = endsAt === null ? [] : reminderDays.map((days) => endsAt - days * dayMs);
  return Math.min(now + longestMs, ...moments.filter((moment) => moment > now));
}
