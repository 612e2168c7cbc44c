import type { I18n } from '@lingui/core';

const knownZones = new Map<string, string | undefined>();

/** The time zone of the brand; undefined, which means this device's zone, where the browser does not support it. */
function zoneOf({ timeZone }: I18n): string | undefined {
  if (timeZone === undefined || knownZones.has(timeZone)) return knownZones.get(timeZone ?? '');
  const known = isKnown(timeZone) ? timeZone : undefined;
  knownZones.set(timeZone, known);
  return known;
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.info('This browser does not know the time zone of the brand.', timeZone);
    return false;
  }
}

/**
 * A day in the brand's time zone, as in its emails and receipts; a medium one never breaks across lines.
 * `instant` is epoch milliseconds.
 */
export function dayText(i18n: I18n, instant: number, dateStyle: 'full' | 'long' | 'medium' = 'long'): string {
  const day = i18n.date(new Date(instant), { dateStyle, timeZone: zoneOf(i18n) });
  return dateStyle === 'medium' ? day.replaceAll(' ', '\u00A0') : day;
}

/**
 * Day and time in this device's time zone. The zone is named where the brand's time, which its emails use, differs.
 * `instant` is epoch milliseconds.
 */
export function timeText(i18n: I18n, instant: number, dateStyle: 'full' | 'medium' = 'medium'): string {
  const at = new Date(instant);
  const read = (timeZone?: string) => i18n.date(at, { dateStyle: 'short', timeStyle: 'short', timeZone });
  const here = read();
  if (here === read(zoneOf(i18n))) return i18n.date(at, { dateStyle, timeStyle: 'short' });
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const month = dateStyle === 'full' ? 'long' : 'short';
  const weekday = dateStyle === 'full' ? ('long' as const) : undefined;
  return i18n.date(at, { weekday, year: 'numeric', month, day: 'numeric', ...clock });
}
