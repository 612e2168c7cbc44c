import { describe, expect, it } from 'vitest';
import { isQuote, quoteLifetimeMs, signQuote, wasQuoted } from './quote.ts';

const secret = 'an installation keeps this for itself';
const now = 1_795_000_000_000;
const facts = {
  brand: 'lumen',
  uid: 'u1',
  planId: '30-1',
  methodCode: 'pix',
  currency: 'BRL',
  discountCode: undefined,
  total: 2841,
};
const quoteId = signQuote(secret, facts, now + quoteLifetimeMs);

describe('a price that was shown', () => {
  it('holds for ten minutes', () => {
    expect(isQuote(secret, quoteId, facts, now + quoteLifetimeMs)).toBe(true);
    expect(isQuote(secret, quoteId, facts, now + quoteLifetimeMs + 1)).toBe(false);
  });

  it.each([
    ['another person', { uid: 'u2' }],
    ['another brand', { brand: 'mego' }],
    ['another plan', { planId: '365-4' }],
    ['another method', { methodCode: 'card' }],
    ['another currency', { currency: 'USD' }],
    ['a coupon that was not valued', { discountCode: 'HALF' }],
    ['a price that has changed', { total: 2990 }],
  ])('does not hold for %s', (_case, changed) => {
    expect(isQuote(secret, quoteId, { ...facts, ...changed }, now)).toBe(false);
  });

  it.each(['', 'x', '1.2.3', `2841.${now + quoteLifetimeMs}.${'A'.repeat(43)}`, quoteId.replace('2841', '0001')])(
    'cannot be made up: %j',
    (forged) => {
      expect(isQuote(secret, forged, { ...facts, total: Number(forged.split('.')[0]) || 2841 }, now)).toBe(false);
    },
  );

  it('shows later, too, that its coupon was no guess, and nothing of another purchase', () => {
    const { total: _, ...asked } = { ...facts, discountCode: 'HALF' };
    const withCoupon = signQuote(secret, { ...facts, discountCode: 'HALF' }, now - 1);
    expect(wasQuoted(secret, withCoupon, asked)).toBe(true);
    expect(wasQuoted(secret, withCoupon, { ...asked, discountCode: 'OTHER' })).toBe(false);
    expect(wasQuoted(secret, withCoupon, { ...asked, uid: 'u2' })).toBe(false);
    expect(wasQuoted(secret, quoteId, asked)).toBe(false);
  });
});
