/**
 * Boleto: a barcode of 44 digits (bank 3, currency 9, check digit, due factor 4, amount 10, free field 25), and a
 * typed line of 47, which contains the same digits in another order with a check digit after each of its three fields
 * (FEBRABAN, Layout Padrão de Código de Barras; Banco Central do Brasil, Carta-Circular 2.926).
 */
export interface Boleto {
  /** three digits */
  readonly bank: string;
  /** four digits, see `dueDayOf`; 0000 for a slip without a due day */
  readonly factor: string;
  /** minor units of BRL */
  readonly amount: number;
  /** 25 digits with a meaning for the bank only */
  readonly free: string;
  readonly barcode: string;
  /** grouped as on the slip */
  readonly line: string;
}

/** The currency code of the Real. */
const currency = '9';

/** The slip for a due day (`YYYY-MM-DD`). Throws RangeError for values that do not fit its digits. */
export function boleto(slip: Pick<Boleto, 'bank' | 'amount' | 'free'> & { readonly dueDay: string }): Boleto {
  const { bank, amount, free, dueDay } = slip;
  if (!/^\d{3}$/.test(bank)) throw new RangeError('a bank has three digits');
  if (!/^\d{25}$/.test(free)) throw new RangeError('a free field has 25 digits');
  if (!Number.isSafeInteger(amount) || amount <= 0 || amount >= 1e10)
    throw new RangeError('amount must be minor units');
  const factor = dueFactor(dueDay);
  const rest = factor + String(amount).padStart(10, '0') + free;
  const barcode = bank + currency + barcodeDigit(bank + currency + rest) + rest;
  return { bank, factor, amount, free, barcode, line: lineOf(barcode) };
}

/** Parses a barcode, or a typed line with or without grouping. Undefined if a length or a check digit is wrong. */
export function parseBoleto(text: string): Boleto | undefined {
  const digits = text.replaceAll(/[\s.]/g, '');
  const barcode = digits.length === 47 ? barcodeOf(digits) : digits;
  if (!/^\d{44}$/.test(barcode ?? '') || barcode === undefined) return undefined;
  const [bank, money, digit, rest] = [barcode.slice(0, 3), barcode[3], barcode[4], barcode.slice(5)];
  if (money !== currency || digit !== barcodeDigit(bank + currency + rest)) return undefined;
  const [factor, amount, free] = [rest.slice(0, 4), Number(rest.slice(4, 14)), rest.slice(14)];
  return { bank, factor, amount, free, barcode, line: lineOf(barcode) };
}

/** The typed line of a barcode of 44 digits, grouped. */
export function lineOf(barcode: string): string {
  const free = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  const typed = fields.map((field) => {
    const whole = field + fieldDigit(field);
    return `${whole.slice(0, 5)}.${whole.slice(5)}`;
  });
  return [...typed, barcode.slice(4, 5), barcode.slice(5, 19)].join(' ');
}

/** The barcode of a line of 47 digits; undefined if the check digit of a field is wrong. */
function barcodeOf(line: string): string | undefined {
  const fields = [line.slice(0, 10), line.slice(10, 21), line.slice(21, 32)];
  if (fields.some((field) => field.at(-1) !== fieldDigit(field.slice(0, -1)))) return undefined;
  const [first = '', second = '', third = ''] = fields.map((field) => field.slice(0, -1));
  return first.slice(0, 4) + line.slice(32) + first.slice(4) + second + third;
}

/** Modulus 10: alternating weights 2 and 1 from the right, with the digits of each product added up. */
function fieldDigit(field: string): string {
  const sum = fromRight(field).reduce((total, digit, at) => {
    const product = digit * (at % 2 === 0 ? 2 : 1);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Modulus 11: weights 2 to 9, repeating from the right; 0, 10 and 11 become 1. */
function barcodeDigit(withoutDigit: string): string {
  const sum = fromRight(withoutDigit).reduce((total, digit, at) => total + digit * (2 + (at % 8)), 0);
  const digit = 11 - (sum % 11);
  return String(digit > 9 ? 1 : digit);
}

function fromRight(digits: string): number[] {
  return Array.from(digits, Number).toReversed();
}

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
