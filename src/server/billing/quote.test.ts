import { describe, expect, it } from 'vitest';
import { isQuote, quoteLifetimeMs, signQuote, wasQuoted } from './quote.ts';

const secret = 'the signing secret of an installation';
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

describe('a quote', () => {
  it('is valid for ten minutes', () => {
    expect(isQuote(secret, quoteId, facts, now + quoteLifetimeMs)).toBe(true);
    expect(isQuote(secret, quoteId, facts, now + quoteLifetimeMs + 1)).toBe(false);
  });

  it.each([
    ['another customer', { uid: 'u2' }],
    ['another brand', { brand: 'mego' }],
    ['another plan', { planId: '365-4' }],
    ['another method', { methodCode: 'card' }],
    ['another currency', { currency: 'USD' }],
    ['a coupon that was not quoted', { discountCode: 'HALF' }],
    ['a price that has changed', { total: 2990 }],
  ])('is not valid for %s', (_case, changed) => {
    expect(isQuote(secret, quoteId, { ...facts, ...changed }, now)).toBe(false);
  });

  it.each(['', 'x', '1.2.3', `2841.${now + quoteLifetimeMs}.${'A'.repeat(43)}`, quoteId.replace('2841', '0001')])(
    'cannot be forged: %j',
    (forged) => {
      expect(isQuote(secret, forged, { ...facts, total: Number(forged.split('.')[0]) || 2841 }, now)).toBe(false);
    },
  );

  it('proves after its expiry that its coupon was quoted, and only for its own purchase', () => {
    const { total: _, ...request } = { ...facts, discountCode: 'HALF' };
    const withCoupon = signQuote(secret, { ...facts, discountCode: 'HALF' }, now - 1);
    expect(wasQuoted(secret, withCoupon, request)).toBe(true);
    expect(wasQuoted(secret, withCoupon, { ...request, discountCode: 'OTHER' })).toBe(false);
    expect(wasQuoted(secret, withCoupon, { ...request, uid: 'u2' })).toBe(false);
    expect(wasQuoted(secret, quoteId, request)).toBe(false);
  });
});
