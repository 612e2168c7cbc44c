import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createI18n } from './active.ts';
import { dayText, timeText } from './day-text.ts';

/** Half past midnight in Berlin, on the previous day in New York. */
const night = Date.UTC(2026, 10, 25, 23, 30);
const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;

function english(timeZone?: string) {
  return createI18n('en', {}, timeZone);
}

test('a day is that of the brand’s time zone', () => {
  expect(dayText(english('Europe/Berlin'), night)).toBe('November 26, 2026');
  expect(dayText(english('America/New_York'), night)).toBe('November 25, 2026');
});

test('a medium day never breaks across lines', () => {
  expect(dayText(english('America/New_York'), night, 'medium')).toBe('Nov\u00A025,\u00A02026');
});

test('a time names its zone where it differs from the brand’s', () => {
  const own = new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts(night);
  const name = own.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const other = here === 'Asia/Kathmandu' ? 'Europe/Berlin' : 'Asia/Kathmandu';
  expect(timeText(english(other), night)).toContain(name);
  expect(timeText(english(other), night, 'full')).toContain(name);
  expect(timeText(english(here), night)).not.toContain(name);
  expect(timeText(english(), night)).not.toContain(name);
});

test('a time is the same with its zone as without', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.constantFrom('Asia/Kathmandu', 'America/St_Johns'),
      (at, zone) => {
        const plain = timeText(english(here), at);
        expect(timeText(english(zone), at).replaceAll(/[\s,]/g, '')).toContain(plain.replaceAll(/[\s,]/g, ''));
      },
    ),
  );
});

test('a browser without the time zone shows its own days', () => {
  const told = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  expect(dayText(english('Mars/Olympus_Mons'), night)).toBe(dayText(english(), night));
  expect(told).toHaveBeenCalledOnce();
});
