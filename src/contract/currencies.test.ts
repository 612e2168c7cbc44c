import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { exponent, isKnownCurrency, knownCurrencies, knownCurrencySchema } from '#contract/money.ts';

describe('the table of currencies', () => {
  it('has the decimal places of ISO 4217', () => {
    const digits = (codes: string) => codes.split(' ').map(exponent);
    expect(new Set(digits('JPY KRW VND ISK CLP PYG XOF XAF UGX RWF BIF XPF'))).toEqual(new Set([0]));
    expect(new Set(digits('KWD BHD OMR JOD TND LYD IQD'))).toEqual(new Set([3]));
    expect(new Set(digits('USD EUR BRL RUB KES HUF TWD MGA MRU IDR'))).toEqual(new Set([2]));
  });

  it('has every current currency once', () => {
    const all = knownCurrencies();
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(150);
    const named = new Set(Intl.supportedValuesOf('currency'));
    // the second code of the bolívar, which Unicode CLDR omits
    expect(all.filter((code) => !named.has(code))).toEqual(['VED']);
    expect(all.filter((code) => !isKnownCurrency(code))).toEqual([]);
  });

  it.each(['EUT', 'BTC', 'XAU', 'XXX', 'eur', 'EU', 'EURO', '', 'R J', 'HRK', 'DEM'])('refuses %o', (code) => {
    expect(isKnownCurrency(code)).toBe(false);
    expect(v.is(knownCurrencySchema, code)).toBe(false);
  });
});
