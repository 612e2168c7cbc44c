import { expect, test } from 'vitest';
import { dueReminder, nextReminderAt, reminderAt } from './write-push.ts';

const day = 86_400_000;
const end = 100 * day;
const never = { remindedEnd: null, remindedDays: null };

test('a reminder is due from three days and from one day before the end, and not after it', () => {
  const at = (days: number) => reminderAt(end, end - days * day);
  expect([3.01, 3, 2, 1.01, 1, 0.1, 0, -1].map(at)).toEqual([undefined, 3, 3, 3, 1, 1, undefined, undefined]);
  expect(reminderAt(null, 0)).toBeUndefined();
});

test('a reminder is sent once for each end of access', () => {
  const said = { remindedEnd: end, remindedDays: 3 };
  expect(dueReminder(never, end, end - 3 * day)).toBe(3);
  expect(dueReminder(said, end, end - 2 * day)).toBeUndefined();
  expect(dueReminder(said, end, end - day)).toBe(1);
  expect(dueReminder({ ...said, remindedDays: 1 }, end, end - day / 2)).toBeUndefined();
  expect(dueReminder(said, end + day, end - day)).toBe(3);
});

test('a shop that was down when both were due sends only the later one', () => {
  expect(dueReminder(never, end, end - day / 2)).toBe(1);
});

test('the next check is when the next reminder is due, and within a day at the latest', () => {
  expect(nextReminderAt(end, end - 3.5 * day)).toBe(end - 3 * day);
  expect(nextReminderAt(end, end - 3 * day)).toBe(end - 2 * day);
  expect(nextReminderAt(end, end - 1.5 * day)).toBe(end - day);
  expect(nextReminderAt(end, end - 50 * day)).toBe(end - 49 * day);
  expect(nextReminderAt(null, 0)).toBe(day);
});
