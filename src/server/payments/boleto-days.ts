/**
 * Days of a Boleto are calendar days in Brasília time (America/Sao_Paulo in Intl), written `YYYY-MM-DD`. No offset is
 * assumed, because Brazil has had daylight saving time and may have it again.
 */
const dayMs = 86_400_000;
/** 1997-10-07, day 0 of the due factor (FEBRABAN, Convenção de Cobrança). */
const dayZero = Date.UTC(1997, 9, 7) / dayMs;
const firstFactor = 1000;
const factors = 9000;
/**
 * How far back a due factor may point. It repeats after 9000 days, of which these are in the past (FEBRABAN, 2025
 * restart).
 */
const pastFactors = 3000;

const wallClock = new Intl.DateTimeFormat('en-CA-u-ca-iso8601-nu-latn', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
});

/** The calendar day in Brasília at an instant (epoch milliseconds). */
export function bankDay(instant: number): string {
  return dayText(Math.floor(readWallClock(instant) / dayMs));
}

/** The calendar day that many days later. */
export function addDays(day: string, days: number): string {
  return dayText(dayNumber(day) + days);
}

/** The last millisecond of a day in Brasília, in epoch milliseconds. */
export function endOfBankDay(day: string): number {
  const midnight = (dayNumber(day) + 1) * dayMs;
  const first = midnight - offsetAt(midnight);
  // if the clocks change at that midnight, the two differ and the day ends at the later one
  return Math.max(first, midnight - offsetAt(first)) - 1;
}

/**
 * The four digits of a due day. 9999 was 2025-02-21, and 1000 followed. Throws RangeError for days before 2000-07-03.
 */
export function dueFactor(day: string): string {
  const count = dayNumber(day) - dayZero;
  if (count < firstFactor) throw new RangeError('a due day has no factor before 2000-07-03');
  return String(firstFactor + ((count - firstFactor) % factors));
}

/**
 * The due day of a factor as read on `today`: the one from 3000 days before to 5999 days after. Undefined for 0000 (a
 * slip without a due day) and for an invalid factor.
 */
export function dueDayOf(factor: string, today: string): string | undefined {
  if (!/^[1-9]\d{3}$/.test(factor)) return undefined;
  const earliest = dayNumber(today) - pastFactors;
  const behind = earliest - (dayZero + Number(factor));
  const rounds = Math.max(0, Math.ceil(behind / factors));
  return dayText(dayZero + Number(factor) + rounds * factors);
}

function dayNumber(day: string): number {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // a parser may turn 30 February into a day in March
  if (Number.isNaN(at) || dayText(at / dayMs) !== day) throw new RangeError(`no day of the calendar: ${day}`);
  return at / dayMs;
}

function dayText(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}

function offsetAt(instant: number): number {
  return readWallClock(instant) - Math.floor(instant / 1000) * 1000;
}

/** The wall clock in Brasília, as if it were UTC, in whole seconds. */
function readWallClock(instant: number): number {
  const part = Object.fromEntries(wallClock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour, minute, second } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
