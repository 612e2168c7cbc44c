import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromPaypal, toPaypal } from './currencies.ts';

describe('an amount at PayPal', () => {
  it.each([
    [{ amount: 4990, currency: 'BRL' }, '49.90'],
    [{ amount: 5, currency: 'USD' }, '0.05'],
    [{ amount: 100_000, currency: 'SGD' }, '1000.00'],
    // no decimals at PayPal but two here; none on either side
    [{ amount: 149_000, currency: 'HUF' }, '1490'],
    [{ amount: 980, currency: 'JPY' }, '980'],
  ])('%o is %s', (money, value) => {
    expect(toPaypal(money)).toEqual({ currency_code: money.currency, value });
  });

  it.each([
    ['in an unsupported currency', { amount: 1000, currency: 'KES' }],
    ['in an unsupported currency without minor units', { amount: 1000, currency: 'XOF' }],
    ['for a fraction of a forint', { amount: 149_050, currency: 'HUF' }],
    ['for zero', { amount: 0, currency: 'USD' }],
  ])('is refused %s', (_what, money) => {
    expect(toPaypal(money)).toBeUndefined();
  });

  it('is unchanged after conversion and parsing', () => {
    const money = fc.record({
      amount: fc.integer({ min: 1, max: 1e12 }),
      currency: fc.constantFrom('BRL', 'USD', 'EUR'),
    });
    fc.assert(
      fc.property(money, (one) => {
        const sent = toPaypal(one);
        expect(sent && fromPaypal(sent)).toEqual(one);
      }),
      { numRuns: 100 },
    );
  });

  it.each(['', '1,00', '-1.00', '1.000', 'NaN', '1e3'])('is not parsed from %o', (value) => {
    expect(fromPaypal({ currency_code: 'USD', value })).toBeUndefined();
  });
});
