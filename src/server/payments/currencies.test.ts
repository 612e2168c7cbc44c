import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponent, knownCurrencies, type Money } from '#contract/money.ts';
import { fromDecimal, toDecimal } from './terms.ts';
import { fromMpesa, isAcceptedByMpesa, mpesaLimits, shillingUnit, toMpesa } from './mpesa/callbacks.ts';
import { fromPaypal, isAcceptedByPaypal, toPaypal, paypalUnit } from './paypal/currencies.ts';
import { isAcceptedByPayssion, toPayssion } from './payssion/gateway.ts';
import { amountTerms, fromStripe, isAcceptedByStripe, toStripe } from './stripe/currencies.ts';
import { isAcceptedByTransfer } from './transfer/gateway.ts';
import { isAcceptedByUseepay, maxUseepayAmount, toUseepay } from './useepay/refunds.ts';

/** How a provider interprets amounts of the shop, in major units, by its own documents; undefined if none is sent. */
interface Provider {
  readonly takes: (currency: string) => boolean;
  readonly unit: (currency: string) => number;
  readonly charged: (money: Money) => number | undefined;
  /** the amount as the server reads it from the provider's response */
  readonly back: (money: Money) => Money | undefined;
}

const byIso = (counted: string | undefined, currency: string) =>
  counted === undefined ? undefined : Number(counted) / 10 ** exponent(currency);

/** docs.stripe.com/currencies: how many of the last digits of an amount are minor units */
const stripeDigits = (currency: string) => {
  if ('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.includes(currency)) return 0;
  return 'BHD JOD KWD OMR TND'.includes(currency) ? 3 : 2;
};

const providers: Readonly<Record<string, Provider>> = {
  stripe: {
    takes: (currency) => isAcceptedByStripe('card', currency),
    unit: (currency) => amountTerms('card', currency).unit ?? 1,
    charged: (money) => {
      const counted = toStripe(money)?.amount;
      return counted === undefined ? undefined : counted / 10 ** stripeDigits(money.currency);
    },
    back: (money) => {
      const counted = toStripe(money);
      return counted && fromStripe(counted);
    },
  },
  paypal: {
    takes: isAcceptedByPaypal,
    unit: paypalUnit,
    charged: (money) => {
      const written = toPaypal(money)?.value;
      return written === undefined ? undefined : Number(written);
    },
    back: (money) => {
      const written = toPaypal(money);
      return written && fromPaypal(written);
    },
  },
  useepay: {
    takes: isAcceptedByUseepay,
    unit: () => 1,
    charged: (money) => byIso(toUseepay(money), money.currency),
    back: (money) => ({ ...money, amount: Number(toUseepay(money)) }),
  },
  payssion: {
    takes: isAcceptedByPayssion,
    unit: () => 1,
    charged: (money) => (isAcceptedByPayssion(money.currency) ? Number(toPayssion(money)) : undefined),
    back: (money) => fromDecimal(toPayssion(money) ?? '', money.currency),
  },
  btcpay: {
    takes: () => true,
    unit: () => 1,
    charged: (money) => Number(toDecimal(money)),
    back: (money) => fromDecimal(toDecimal(money), money.currency),
  },
  mpesa: {
    takes: isAcceptedByMpesa,
    unit: () => shillingUnit,
    charged: toMpesa,
    back: (money) => ({ ...money, amount: fromMpesa(toMpesa(money) ?? 0) }),
  },
};

const cases = Object.entries(providers).flatMap(([name, provider]) =>
  knownCurrencies().map((currency) => ({ name, provider, currency })),
);

describe('every currency at every provider', () => {
  it('is charged exactly what the customer agreed to, or is not offered', () => {
    const amounts = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(fc.constantFrom(...cases), amounts, ({ provider, currency }, units) => {
        fc.pre(provider.takes(currency));
        const money = { amount: units * provider.unit(currency), currency };
        expect(provider.charged(money)).toBeCloseTo(money.amount / 10 ** exponent(currency), 6);
        expect(provider.back(money)).toEqual(money);
      }),
      { numRuns: 4000 },
    );
  });

  it('is never sent to a provider that does not support it', () => {
    const converts = ({ provider, currency }: (typeof cases)[number]) =>
      provider.charged({ amount: 100_000, currency }) !== undefined;
    const wrong = cases.filter((one) => converts(one) !== one.provider.takes(one.currency));
    expect(wrong.map(({ name, currency }) => `${name} ${currency}`)).toEqual([]);
  });

  it('with an unknown number of digits is sent to no provider', () => {
    const money = { amount: 1000, currency: 'EUT' };
    expect([toStripe(money), toPaypal(money), toUseepay(money), toPayssion(money), toMpesa(money)]).toEqual(
      Array.from({ length: 5 }),
    );
  });
});

describe('the limits of a provider', () => {
  it('are known for each currency of Stripe, about USD 0.50 and eight digits', () => {
    const taken = knownCurrencies().filter((currency) => isAcceptedByStripe('card', currency));
    for (const currency of taken) {
      const { minimum = 0, maximum = Infinity, unit = 1 } = amountTerms('card', currency);
      expect(minimum, currency).toBeGreaterThan(0);
      expect(toStripe({ amount: Math.ceil(minimum / unit) * unit, currency }), currency).toBeDefined();
      if (maximum === Infinity) continue;
      const most = toStripe({ amount: Math.floor(maximum / unit) * unit, currency });
      expect(String(most?.amount), currency).toMatch(/^9\d{7}$/);
    }
  });

  it('of M-Pesa are one shilling and 250,000', () => {
    expect(mpesaLimits).toEqual({ unit: 100, minimum: 100, maximum: 25_000_000 });
    expect(toMpesa({ amount: mpesaLimits.maximum, currency: 'KES' })).toBe(250_000);
    expect(toMpesa({ amount: mpesaLimits.maximum + 100, currency: 'KES' })).toBeUndefined();
  });

  it('of UseePay are twelve digits', () => {
    expect(toUseepay({ amount: maxUseepayAmount, currency: 'USD' })).toBe('999999999999');
    expect(toUseepay({ amount: maxUseepayAmount + 1, currency: 'USD' })).toBeUndefined();
  });
});

describe('provider-specific amounts', () => {
  it('Stripe receives krónur and Ugandan shillings with two zeros, and thousandths with a final zero', () => {
    expect(toStripe({ amount: 980, currency: 'ISK' })).toEqual({ amount: 98_000, currency: 'isk' });
    expect(toStripe({ amount: 980, currency: 'UGX' })).toEqual({ amount: 98_000, currency: 'ugx' });
    expect(toStripe({ amount: 980, currency: 'JPY' })).toEqual({ amount: 980, currency: 'jpy' });
    expect(toStripe({ amount: 5120, currency: 'KWD' })).toEqual({ amount: 5120, currency: 'kwd' });
    expect(toStripe({ amount: 5124, currency: 'KWD' })).toBeUndefined();
    expect(toStripe({ amount: 70_000, currency: 'MGA' })).toEqual({ amount: 700, currency: 'mga' });
    expect(toStripe({ amount: 70_050, currency: 'MGA' })).toBeUndefined();
  });

  it('UseePay receives whole yen', () => {
    expect(toUseepay({ amount: 980, currency: 'JPY' })).toBe('980');
    expect(toUseepay({ amount: 980, currency: 'USD' })).toBe('980');
    expect(toUseepay({ amount: 1_250, currency: 'BHD' })).toBe('1250');
    expect(toUseepay({ amount: 10 ** 12, currency: 'USD' })).toBeUndefined();
  });

  it('PayPal and M-Pesa receive whole forints and shillings', () => {
    expect([paypalUnit('HUF'), paypalUnit('TWD'), paypalUnit('JPY'), paypalUnit('USD')]).toEqual([100, 100, 1, 1]);
    expect([toMpesa({ amount: 12_900, currency: 'KES' }), toMpesa({ amount: 12_950, currency: 'KES' })]).toEqual([
      129,
      undefined,
    ]);
  });

  it('PayNow moves only Singapore dollars', () => {
    expect([isAcceptedByTransfer('paynow', 'SGD'), isAcceptedByTransfer('paynow', 'CNY')]).toEqual([true, false]);
    expect([isAcceptedByTransfer('caishen', 'CNY'), isAcceptedByTransfer('card', 'CNY')]).toEqual([true, false]);
  });

  it('Stripe receives no less than its published minimums', () => {
    const minimum = (method: string, currency: string) => amountTerms(method, currency).minimum;
    expect([minimum('card', 'BRL'), minimum('pix', 'BRL'), minimum('boleto', 'BRL')]).toEqual([50, 50, 500]);
    expect([minimum('card', 'KES'), minimum('card', 'XOF')]).toEqual([6500, 310]);
    expect([minimum('card', 'JPY'), minimum('card', 'GBP'), minimum('card', 'KWD')]).toEqual([50, 30, 160]);
  });
});
