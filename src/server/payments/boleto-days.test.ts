import { describe, expect, it } from 'vitest';
import { addDays, bankDay, dueDayOf, dueFactor, endOfBankDay } from './boleto.ts';

describe('the due factor of a Boleto', () => {
  it.each([
    ['2000-07-03', '1000'],
    ['2016-04-20', '6770'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
    ['2026-11-26', '1642'],
    ['2049-10-13', '9999'],
    ['2049-10-14', '1000'],
  ])('of %s is %s, and is parsed on that day', (day, factor) => {
    expect(dueFactor(day)).toBe(factor);
    expect(dueDayOf(factor, day)).toBe(day);
    expect(dueDayOf(factor, addDays(day, 3000))).toBe(day);
    expect(dueDayOf(factor, addDays(day, 3001))).toBe(addDays(day, 9000));
  });

  it('is parsed in both cycles on the days around the restart', () => {
    expect(dueDayOf('9999', '2025-03-01')).toBe('2025-02-21');
    expect(dueDayOf('1000', '2025-02-18')).toBe('2025-02-22');
    expect(dueDayOf('1003', '2025-02-20')).toBe('2025-02-25');
  });

  it('has no day if it is invalid', () => {
    for (const factor of ['0000', '0999', '999', '10000', 'abcd']) {
      expect(dueDayOf(factor, '2026-11-21')).toBeUndefined();
    }
  });

  it('is refused for days before the first factor', () => {
    expect(() => dueFactor('2000-07-02')).toThrow(RangeError);
    for (const day of ['2026-02-30', '26-11-21', 'today']) expect(() => dueFactor(day)).toThrow(RangeError);
  });
});

describe('a bank day', () => {
  it('is the calendar day in Brasilia, not in London', () => {
    expect(bankDay(Date.UTC(2026, 10, 21, 2, 59, 59, 999))).toBe('2026-11-20');
    expect(bankDay(Date.UTC(2026, 10, 21, 3))).toBe('2026-11-21');
  });

  it('ends a millisecond before midnight there', () => {
    expect(endOfBankDay('2026-11-26')).toBe(Date.UTC(2026, 10, 27, 3) - 1);
    expect(bankDay(endOfBankDay('2026-11-26'))).toBe('2026-11-26');
    expect(bankDay(endOfBankDay('2026-11-26') + 1)).toBe('2026-11-27');
  });

  it.each(['2018-11-03', '2018-02-17', '2018-12-31', '2024-02-29'])(
    'ends when the next one begins, also if the clocks change at midnight: %s',
    (day) => {
      const end = endOfBankDay(day);
      expect([bankDay(end), bankDay(end + 1)]).toEqual([day, addDays(day, 1)]);
    },
  );

  it('is added by the calendar', () => {
    expect(addDays('2026-12-29', 5)).toBe('2027-01-03');
    expect(addDays('2028-02-27', 2)).toBe('2028-02-29');
  });
});
