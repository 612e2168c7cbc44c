import type { pushSubscriptions } from '#server/db/schema/push.ts';

const dayMs = 86_400_000;

/** How many days before the end of access a reminder is sent. */
export const reminderDays = [3, 1] as const;
export type ReminderDays = (typeof reminderDays)[number];

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
