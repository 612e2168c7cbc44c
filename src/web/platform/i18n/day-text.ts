import type { I18n } from '@lingui/core';

const zones = new WeakMap<I18n, string>();

/** Sets the IANA time zone of the brand, whose calendar the days of a page follow; a browser that does not know it uses its own. */
export function setTimeZone(i18n: I18n, timeZone: string | undefined): void {
  try {
    if (timeZone === undefined) return;
    new Intl.DateTimeFormat('en', { timeZone });
    zones.set(i18n, timeZone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.info('This browser does not know the time zone of the brand.', timeZone);
  }
}

/** A day by the calendar of the brand, as its emails and receipts have it. `instant` is epoch milliseconds. */
export function dayText(i18n: I18n, instant: number, dateStyle: 'full' | 'long' | 'medium' = 'long'): string {
  return i18n.date(new Date(instant), { dateStyle, timeZone: zones.get(i18n) });
}

/**
 * Day and time by the clock of this device. The zone is named where the clock of the brand, which its emails follow, shows
 * another time. `instant` is epoch milliseconds.
 */
export function timeText(i18n: I18n, instant: number, dateStyle: 'full' | 'medium' = 'medium'): string {
  const at = new Date(instant);
  const read = (timeZone?: string) => i18n.date(at, { dateStyle: 'short', timeStyle: 'short', timeZone });
  const here = read();
  if (here === read(zones.get(i18n))) return i18n.date(at, { dateStyle, timeStyle: 'short' });
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const month = dateStyle === 'full' ? 'long' : 'short';
  const weekday = dateStyle === 'full' ? ('long' as const) : undefined;
  return i18n.date(at, { weekday, year: 'numeric', month, day: 'numeric', ...clock });
}
