/**
 * How far the injected clock is ahead of the system clock, in seconds: for a library that reads the system clock
 * itself.
 */
export function clockAheadSeconds(clock: () => number): number {
  return Math.floor(clock() / 1000) - Math.floor(Date.now() / 1000);
}

/**
 * The same day and time that many months earlier, in UTC, or the last day of a shorter month. Epoch milliseconds in and
 * out.
 */
export function monthsBefore(instant: number, months: number): number {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  // 31 March minus one month is 31 February, which `Date` reads as 3 March
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
