import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArrival } from './read-address.ts';
import { safeReturnPath } from './return-path.ts';

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

const link = { token: 'secret', accountId: '55', loginId: 'ana' };
const params = (value: unknown) => `?params=${encodeURIComponent(JSON.stringify(value))}`;

describe('an invalid link', () => {
  it.each([
    '[1]',
    'null',
    '"x"',
    '{',
    '',
    `{"a":"${'x'.repeat(2100)}"}`,
    '{"__proto__":{"a":"1"}}',
    '{"constructor":"x"}',
    `${'['.repeat(900)}${']'.repeat(900)}`,
  ])('is not led astray by %s as parameters', (json) => {
    const arrival = readArrival('/', `?params=${encodeURIComponent(json)}&p=30`);
    expect(arrival.redirect).toBeUndefined();
    expect(arrival).toMatchObject({ entry: { planId: '30' }, search: '?p=30' });
  });

  it('limits the parameters by bytes, not by characters', () => {
    expect(readArrival('/', params({ a: '1', x: 'я'.repeat(900) })).redirect?.to).toBe('/login');
    expect(readArrival('/', params({ a: '1', x: 'я'.repeat(1100) })).redirect).toBeUndefined();
  });

  it('leaves a URL without parameters unchanged', () => {
    expect(readArrival('/', '?q=%20a+b&q=2', '#a=b')).toMatchObject({ search: '?q=%20a+b&q=2', hash: '#a=b' });
  });

  it('never throws, pollutes nothing, and never shows a secret', propertyTest, () => {
    const names = fc.constantFrom(
      'a',
      't',
      'appToken',
      'e',
      'd',
      'params',
      'p',
      '__proto__',
      'x',
      'user_code',
      'token',
    );
    const deep = fc.json({ maxDepth: 6 });
    const pollution = fc.constantFrom(
      '{"__proto__":{"t":"1"}}',
      '{"constructor":{"prototype":{"a":1}}}',
      '{"a":"1","a":"2"',
    );
    const values = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ maxLength: 4000 }),
      deep,
      pollution,
    );
    const path = fc.oneof(
      fc.constantFrom('/', '//', '/payment', '/plan-details/30', '/help', '/login', '/device', '/activate'),
      fc.string().map((text) => `/${text}`),
    );
    const pairs = fc.array(fc.tuple(names, values), { maxLength: 8 });
    fc.assert(
      fc.property(path, pairs, fc.string(), (pathname, told, hash) => {
        const arrival = readArrival(pathname, `?${new URLSearchParams(told)}`, hash && `#${hash}`);
        const left = new URLSearchParams(arrival.search);
        for (const name of ['t', 'appToken', 'params', 'user_code']) {
          expect(left.has(name)).toBe(false);
          expect(arrival.redirect?.search ?? {}).not.toHaveProperty(name);
        }
        expect('appToken' in arrival.entry).toBe(false);
        expect(({} as Record<string, unknown>)['a']).toBeUndefined();
        const back = arrival.redirect?.search['return'];
        if (back !== undefined) expect(back).toMatch(/^\/(?!\/)/);
        if (back !== undefined && back.length <= 512) expect(safeReturnPath(back)).toBeDefined();
      }),
    );
  });

  it('reads any mix of short and long names the same, and the first of several', propertyTest, () => {
    const spellings = [
      ['t', 'appToken'],
      ['a', 'accountId'],
      ['e', 'loginId'],
    ] as const;
    const choice = fc.tuple(fc.nat(1), fc.nat(1), fc.nat(1));
    const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
    fc.assert(
      fc.property(choice, order, fc.boolean(), (which, places, twice) => {
        const values = ['secret', '55', 'ana'];
        const pairs = places.map((place) => [spellings[place]?.[which[place] ?? 0] ?? '', values[place] ?? '']);
        const repeated = twice ? pairs.concat(places.map((place) => [spellings[place]?.[1] ?? '', 'zzz'])) : pairs;
        expect(readArrival('/', `?${new URLSearchParams(repeated)}`).secrets).toEqual({ appToken: link });
      }),
    );
  });
});
