import { afterEach, expect, test } from 'vitest';
import { bankDay } from './ticket-step.tsx';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Sao_Paulo', 'UTC'])(
  'shows the same due date in %s',
  (place) => {
    process.env['TZ'] = place;
    const text = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(bankDay('2026-11-26'));
    expect(text).toBe('Thursday, November 26, 2026');
  },
);
