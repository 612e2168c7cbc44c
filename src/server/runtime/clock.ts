/** How far the injected clock is ahead of the machine's, in seconds: for a library that reads the machine's itself. */
export function clockAheadSeconds(clock: () => number): number {
  return Math.floor(clock() / 1000) - Math.floor(Date.now() / 1000);
}

/**
 * The same day and time so many months before, in UTC, or the last day of a month that is shorter. Epoch milliseconds in
 * and out.
 */
export function monthsBefore(instant: number, months: number): number {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  // 31 March minus a month would be 31 February, which is read as 3 March
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}
