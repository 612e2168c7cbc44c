import type { pushSubscriptions } from '#server/db/schema/push.ts';

const dayMs = 86_400_000;

/** How many days before the end of the access somebody is reminded. */
export const reminderDays = [3, 1] as const;
export type ReminderDays = (typeof reminderDays)[number];

/** Days that are bought, or given back, move the end without a word to this: so it is looked once a day at least. */
const longestMs = dayMs;

/** The reminder whose time has come, whether it was sent or not; undefined before the first and after the end. */
export function reminderAt(endsAt: number | null, now: number): ReminderDays | undefined {
  if (endsAt === null || endsAt <= now) return undefined;
  return reminderDays.findLast((days) => endsAt - now <= days * dayMs);
}

type Reminded = Pick<typeof pushSubscriptions.$inferSelect, 'remindedEnd' | 'remindedDays'>;

/** The reminder that is to be sent now: each once for one end of the access, and none that a later one has overtaken. */
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

/** When it is looked again, in epoch milliseconds. */
export function nextReminderAt(endsAt: number | null, now: number): number {
  const moments = endsAt === null ? [] : reminderDays.map((days) => endsAt - days * dayMs);
  return Math.min(now + longestMs, ...moments.filter((moment) => moment > now));
}
