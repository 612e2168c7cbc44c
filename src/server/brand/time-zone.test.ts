import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { addDays, dayInZone, endOfDayAfter, startOfDay, timeZoneOf, timeZoneSchema } from './time-zone.ts';

const zones = Intl.supportedValuesOf('timeZone');
const hour = 3_600_000;
const at = (iso: string) => Date.parse(iso);

/** By how much the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
function offsetOf(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(instant);
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/.exec(text) ?? [];
  return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

describe('a day of a time zone', () => {
  it('begins at the first instant with its date, where the day before ends, in every zone', () => {
    const days = fc.date({ min: new Date('2015-01-01'), max: new Date('2040-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, (zone, date) => {
        const day = dayInZone(date.getTime(), zone);
        const start = startOfDay(day, zone);
        expect([zone, dayInZone(start, zone)]).toEqual([zone, day]);
        expect(dayInZone(start - 1, zone) < day).toBe(true);
        expect(start).toBeLessThanOrEqual(date.getTime());
        const next = startOfDay(addDays(day, 1), zone);
        // as far from 24 hours as the clocks moved, which is two hours in Antarctica/Troll
        const moved = offsetOf(next, zone) - offsetOf(start - 1, zone);
        expect(Math.abs(next - start - 24 * hour)).toBeLessThanOrEqual(Math.abs(moved));
      }),
      { numRuns: 300 },
    );
  });

  it('may last 22 hours, where clocks move by two', () => {
    const hours = (startOfDay('2031-03-31', 'Antarctica/Troll') - startOfDay('2031-03-30', 'Antarctica/Troll')) / hour;
    expect(hours).toBe(22);
  });

  it.each([
    ['America/Sao_Paulo', '2026-11-26', '2026-11-26T03:00:00Z'],
    // daylight saving time begins: the day has 23 hours
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
    // and ends: 25 hours
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00Z'],
    // clocks change from 00:00 to 01:00, so midnight does not exist
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00Z'],
    ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00Z'],
    ['UTC', '2026-01-01', '2026-01-01T00:00:00Z'],
  ])('of %s, %s, begins at %s', (zone, day, start) => {
    expect(startOfDay(day, zone)).toBe(at(start));
  });

  it('counts as a whole: seven days after a late evening end at the eighth midnight', () => {
    // 23:30 on the 26th in São Paulo is the 27th in UTC
    const evening = at('2026-11-27T02:30:00Z');
    expect(endOfDayAfter(evening, 7, 'America/Sao_Paulo')).toBe(at('2026-12-04T03:00:00Z'));
    expect(endOfDayAfter(evening, 7, 'UTC')).toBe(at('2026-12-05T00:00:00Z'));
  });
});

describe('the time zone of a brand', () => {
  it('is a name of the IANA database', () => {
    for (const zone of [...zones, 'UTC', 'Asia/Kolkata', 'US/Eastern', 'Etc/GMT+3']) {
      expect([zone, v.is(timeZoneSchema, zone)]).toEqual([zone, true]);
    }
    for (const wrong of ['', '+03:00', '-03', 'Brazil', 'America/Sao Paulo', 'America/São_Paulo', 'GMT+3', '../UTC']) {
      expect([wrong, v.is(timeZoneSchema, wrong)]).toEqual([wrong, false]);
    }
  });

  it('is its setting, else its country’s, else its currency’s, else UTC', () => {
    const brand = (areaCode: string | undefined, defaultCurrency: string, timeZone?: string) =>
      timeZoneOf({ timeZone, login: { areaCode }, payment: { defaultCurrency } });
    expect(brand('55', 'USD', 'Asia/Tokyo')).toBe('Asia/Tokyo');
    expect(brand('55', 'USD')).toBe('America/Sao_Paulo');
    expect(brand(undefined, 'KES')).toBe('Africa/Nairobi');
    expect(brand('1829', 'USD')).toBe('America/Santo_Domingo');
    expect(brand('1787', 'USD')).toBe('America/Puerto_Rico');
    expect(brand('999', 'USD')).toBe('UTC');
  });

  it('is supported by Node for every country and currency', () => {
    for (const defaultCurrency of ['ARS', 'BRL', 'CNY', 'EUR', 'JPY', 'KES', 'RUB', 'SGD', 'XOF', 'ZMW']) {
      expect(v.is(timeZoneSchema, timeZoneOf({ login: {}, payment: { defaultCurrency } }))).toBe(true);
    }
    for (let code = 1; code < 1000; code += 1) {
      const zone = timeZoneOf({ login: { areaCode: String(code) }, payment: { defaultCurrency: 'USD' } });
      expect([code, v.is(timeZoneSchema, zone)]).toEqual([code, true]);
    }
  });
});
