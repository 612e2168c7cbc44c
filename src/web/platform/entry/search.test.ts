import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './return-path.ts';
import { parseSearch, stringifySearch } from './search.ts';

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

describe('the query of an address', () => {
  it('stays text, and the first value of a name wins', () => {
    expect(parseSearch('?q=123&b=true&q=4&e=')).toEqual({ q: '123', b: 'true', e: '' });
    expect(parseSearch('')).toEqual({});
  });

  it('leaves out values that are not plain', () => {
    expect(stringifySearch({ a: 'x y', b: 2, c: true, d: undefined, e: null, f: {}, g: [] })).toBe('?a=x+y&b=2&c=true');
    expect(stringifySearch({})).toBe('');
  });

  it('comes back as it went, for any names and any text', propertyTest, () => {
    const name = fc.string({ unit: 'grapheme' }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' }), { noNullPrototype: true }), (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual(search);
      }),
    );
  });

  it('never throws and never touches a prototype', propertyTest, () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constant('?__proto__=x&constructor=y')), (text) => {
        expect(Object.getPrototypeOf(parseSearch(text))).toBe(Object.prototype);
      }),
    );
  });
});

describe('the way back', () => {
  it.each(['/', '/orders', '/payment?planId=30#pay', '/plan-details/30?x=1', '/paymentResult/orderId/1'])(
    'leads to %s',
    (path) => {
      expect(safeReturnPath(path)).toBe(path);
    },
  );

  it.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/..//evil.example',
    '/\t/evil.example',
    '/%2e%2e//evil.example',
    '/api/user/login/v1',
    '/login',
    '/register?returnTo=/login',
    '/404',
    '/unknown',
    'orders',
    '',
    ` /orders`,
    `/orders?${'x'.repeat(600)}`,
    undefined,
    7,
  ])('does not lead to %s', (path) => expect(safeReturnPath(path)).toBeUndefined());

  it('never leaves the site', propertyTest, () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      '.',
      '..',
      '%2f',
      '@',
      ':',
      '\t',
      'orders',
      'payment',
      'evil.example',
      'https:',
      '?',
      '#',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((parts) => parts.join('')),
          fc.string(),
        ),
        (text) => {
          const path = safeReturnPath(text);
          if (path === undefined) return;
          expect(new URL(path, 'https://shop.example').origin).toBe('https://shop.example');
          expect(path).toMatch(/^\/(?!\/)/);
          expect(safeReturnPath(path)).toBe(path);
        },
      ),
      { numRuns: 500 },
    );
  });
});
