import * as v from 'valibot';
import { text } from '#contract/fields.ts';

const wantedTimeZone = 'must be a time zone of the IANA database, such as America/Sao_Paulo';

/** An IANA name such as `America/Sao_Paulo`. Fixed offsets are refused, because they ignore daylight saving time. */
export const timeZoneSchema = v.pipe(
  text(60),
  v.regex(/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/, wantedTimeZone),
  v.check(isKnownTimeZone, wantedTimeZone),
);

function isKnownTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Cached, because creating a formatter costs a hundred times more than using it. */
function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', { ...parts, timeZone });
  calendars.set(timeZone, made);
  return made;
}

/** The calendar day of an instant (epoch milliseconds) in a time zone, as `2026-11-26`. */
export function dayInZone(instant: number, timeZone: string): string {
  const parts = calendarOf(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

const dayMs = 86_400_000;

/** That many days after a day, both as `2026-11-26`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** No offset from UTC is larger than this. */
const largestOffsetMs = 16 * 3_600_000;

/**
 * The first instant (epoch milliseconds) of a day such as `2026-11-26` in a time zone. Found by bisection, because clocks that
 * change at midnight give days that begin at 01:00, and days of 23 or 25 hours.
 */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(day);
  let before = midnight - largestOffsetMs;
  let within = midnight + largestOffsetMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayInZone(middle, timeZone) < day) before = middle;
    else within = middle;
  }
  return within;
}

/** The first instant after the day that is that many days after an instant, in the calendar of a time zone. */
export function endOfDayAfter(instant: number, days: number, timeZone: string): number {
  return startOfDay(addDays(dayInZone(instant, timeZone), days + 1), timeZone);
}

/** The first instant after a day such as `2026-11-26`; undefined for an invalid date. */
export function dayAfter(text: string, timeZone: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
  return isDay ? startOfDay(addDays(text, 1), timeZone) : undefined;
}

/** The time zone of a country, or the one in which most of its people live; the same for currencies below. */
const zoneOfAreaCode: Readonly<Record<string, string>> = {
  '1': 'America/New_York',
  '7': 'Europe/Moscow',
  '27': 'Africa/Johannesburg',
  '33': 'Europe/Paris',
  '34': 'Europe/Madrid',
  '44': 'Europe/London',
  '49': 'Europe/Berlin',
  '51': 'America/Lima',
  '52': 'America/Mexico_City',
  '54': 'America/Argentina/Buenos_Aires',
  '55': 'America/Sao_Paulo',
  '56': 'America/Santiago',
  '57': 'America/Bogota',
  '65': 'Asia/Singapore',
  '81': 'Asia/Tokyo',
  '82': 'Asia/Seoul',
  '84': 'Asia/Ho_Chi_Minh',
  '86': 'Asia/Shanghai',
  '90': 'Europe/Istanbul',
  '91': 'Asia/Kolkata',
  '221': 'Africa/Dakar',
  '225': 'Africa/Abidjan',
  '233': 'Africa/Accra',
  '234': 'Africa/Lagos',
  '250': 'Africa/Kigali',
  '254': 'Africa/Nairobi',
  '255': 'Africa/Dar_es_Salaam',
  '256': 'Africa/Kampala',
  '258': 'Africa/Maputo',
  '260': 'Africa/Lusaka',
  '265': 'Africa/Blantyre',
  '351': 'Europe/Lisbon',
  '380': 'Europe/Kyiv',
  '595': 'America/Asuncion',
  '598': 'America/Montevideo',
  '1658': 'America/Jamaica',
  '1787': 'America/Puerto_Rico',
  '1809': 'America/Santo_Domingo',
  '1829': 'America/Santo_Domingo',
  '1849': 'America/Santo_Domingo',
  '1868': 'America/Port_of_Spain',
  '1876': 'America/Jamaica',
  '1939': 'America/Puerto_Rico',
};

const zoneOfCurrency: Readonly<Record<string, string>> = {
  ARS: 'America/Argentina/Buenos_Aires',
  AUD: 'Australia/Sydney',
  BRL: 'America/Sao_Paulo',
  CAD: 'America/Toronto',
  CHF: 'Europe/Zurich',
  CLP: 'America/Santiago',
  CNY: 'Asia/Shanghai',
  COP: 'America/Bogota',
  EUR: 'Europe/Berlin',
  GBP: 'Europe/London',
  GHS: 'Africa/Accra',
  INR: 'Asia/Kolkata',
  JPY: 'Asia/Tokyo',
  KES: 'Africa/Nairobi',
  KRW: 'Asia/Seoul',
  MWK: 'Africa/Blantyre',
  MXN: 'America/Mexico_City',
  MZN: 'Africa/Maputo',
  NGN: 'Africa/Lagos',
  PEN: 'America/Lima',
  PLN: 'Europe/Warsaw',
  PYG: 'America/Asuncion',
  RUB: 'Europe/Moscow',
  RWF: 'Africa/Kigali',
  SGD: 'Asia/Singapore',
  TRY: 'Europe/Istanbul',
  TZS: 'Africa/Dar_es_Salaam',
  UAH: 'Europe/Kyiv',
  UGX: 'Africa/Kampala',
  UYU: 'America/Montevideo',
  VND: 'Asia/Ho_Chi_Minh',
  XAF: 'Africa/Lagos',
  XOF: 'Africa/Dakar',
  ZAR: 'Africa/Johannesburg',
  ZMW: 'Africa/Lusaka',
};

interface Located {
  readonly timeZone?: string | undefined;
  readonly login: { readonly areaCode?: string | undefined };
  readonly payment: { readonly defaultCurrency: string };
}

/** The time zone of a brand: its setting, else that of its country by dialling code, else that of its currency, else UTC. */
export function timeZoneOf({ timeZone, login, payment }: Located): string {
  return timeZone ?? zoneOfAreaCode[login.areaCode ?? ''] ?? zoneOfCurrency[payment.defaultCurrency] ?? 'UTC';
}
