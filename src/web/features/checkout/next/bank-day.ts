/**
 * A day of the bank's calendar (`YYYY-MM-DD`) as a moment of that day in UTC, to be formatted with `timeZone: 'UTC'`: the
 * day is the same for everyone, wherever their phone thinks it is.
 */
export function bankDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date, 12));
}
