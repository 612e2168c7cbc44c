import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysRemaining, expiryAfter, remainingTimeState } from './account.ts';

const now = Date.UTC(2026, 10, 21, 12);
const day = 86_400_000;

describe('the remaining access', () => {
  it.each([
    [null, 0, 'none'],
    [now - 1, 0, 'expired'],
    [now, 0, 'expired'],
    [now + 1, 1, 'lessThanADay'],
    [now + day - 1, 1, 'lessThanADay'],
    [now + day, 1, 'days'],
    [now + day + 1, 2, 'days'],
    [now + 30 * day, 30, 'days'],
  ] as const)('until %s is %i days, said as %s', (expiredTime, days, words) => {
    expect(daysRemaining(expiredTime, now)).toBe(days);
    expect(remainingTimeState(expiredTime, now)).toBe(words);
  });
});

describe('buying a plan', () => {
  it('adds its days to the remaining ones, or starts now', () => {
    expect(expiryAfter(now + 5 * day, 30, now)).toBe(now + 35 * day);
    expect(expiryAfter(now - 5 * day, 30, now)).toBe(now + 30 * day);
    expect(expiryAfter(null, 30, now)).toBe(now + 30 * day);
  });

  it('never shortens the access', () => {
    const instant = fc.integer({ min: now - 1000 * day, max: now + 1000 * day });
    fc.assert(
      fc.property(fc.option(instant), fc.integer({ min: 1, max: 365 }), (expiredTime, days) => {
        const after = expiryAfter(expiredTime, days, now);
        expect(daysRemaining(after, now)).toBe(daysRemaining(expiredTime, now) + days);
      }),
    );
  });
});
