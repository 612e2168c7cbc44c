import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultQueryOf } from './payment-result-path.ts';

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

describe('returning from a provider', () => {
  it('reads names and values out of the path', () => {
    expect({ ...resultQueryOf('/paymentResult/orderId/LUMEN1/status/ok%20now') }).toEqual({
      orderId: 'LUMEN1',
      status: 'ok now',
    });
  });

  it('reads the query too, and the first of a name wins', () => {
    expect({ ...resultQueryOf('/paymentResult/token/one', '?token=two&x=1') }).toEqual({ token: 'one', x: '1' });
    expect({ ...resultQueryOf('/paymentResult', '?token=two') }).toEqual({ token: 'two' });
  });

  it.each([
    ['plain', 'https://shop.example/r?orderId=1&token=a'],
    ['encoded twice', encodeURIComponent('https://shop.example/r?orderId=1&token=a')],
    ['inside JSON', '{"redirectUrl":"https://shop.example/r?orderId=1&token=a"}'],
  ])('carries over the query of the address in a response: %s', (_, response) => {
    const found = resultQueryOf('/paymentResult', `?response=${encodeURIComponent(response)}`);
    expect({ ...found }).toEqual({ orderId: '1', token: 'a' });
    expect({ ...resultQueryOf(`/paymentResult/response/${encodeURIComponent(response)}`) }).toEqual({
      orderId: '1',
      token: 'a',
    });
  });

  it('drops invalid names, broken escapes and a value without a name', () => {
    expect({ ...resultQueryOf('/paymentResult/a-b/1/ok/%E0%A4%A/__proto__/x/c/2/alone') }).toEqual({ c: '2' });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('reads 32 pairs at most, and nothing from another path', () => {
    const long = Array.from(
      { length: 40 },
      (_, index) => `${'a'.repeat(index % 31)}b${'c'.repeat(index > 30 ? 1 : 0)}/1`,
    ).join('/');
    expect(Object.keys(resultQueryOf(`/paymentResult/${long}`)).length).toBeLessThanOrEqual(32);
    expect({ ...resultQueryOf('/orders/orderId/1') }).toEqual({});
  });

  it('reads every pair of a path unchanged', propertyTest, () => {
    const name = fc.stringMatching(/^[A-Za-z_]{1,32}$/).filter((text) => text !== 'response' && text !== '__proto__');
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 32 }), (pairs) => {
        const path = Object.entries(pairs)
          .map(([key, text]) => `/${key}/${encodeURIComponent(text)}`)
          .join('');
        const found = resultQueryOf(`/paymentResult${path}`);
        expect({ ...found }).toEqual({ ...pairs });
      }),
    );
  });

  it('never throws, whatever a provider sends', propertyTest, () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (path, search, response) => {
        const found = resultQueryOf(`/paymentResult/${path}`, `?${search}&response=${response}`);
        expect(Object.getPrototypeOf(found)).toBeNull();
        for (const name of Object.keys(found)) expect(name).toMatch(/^[A-Za-z_]{1,32}$/);
      }),
    );
  });
});
