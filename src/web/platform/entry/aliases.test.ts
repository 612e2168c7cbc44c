import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aliasesOf, aliasNames } from './aliases.ts';

const of = (search: string) => aliasesOf(new URLSearchParams(search));

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

describe('the aliases of entry parameters', () => {
  it.each([
    ['a', 'accountId', '55@mail.example'],
    ['la', 'language', 'es'],
    ['t', 'appToken', 'eyJh.bGci/_-=+~'],
    ['aid', 'aid', 'A1'],
    ['r', 'releaseId', 'APP-2.1'],
    ['lt', 'loginType', 'phone'],
    ['e', 'loginId', '+5511999999999'],
    ['ls', 'ls', '1'],
    ['did', 'did', '00:1a:2b'],
    ['d', 'deviceInfo', '{"model":"TV 1"}'],
    ['psl', 'psl', 'home banner'],
    ['p', 'planId', '30-1'],
    ['id', 'planId', '365'],
    ['st', 'sourceType', 'STB'],
  ])('reads %s as %s, and its long name too', (short, long, value) => {
    expect(of(new URLSearchParams({ [short]: value }).toString())).toEqual({ [long]: value });
    expect(of(new URLSearchParams({ [long]: value }).toString())).toEqual({ [long]: value });
    expect(aliasNames.get(short)).toBe(long);
  });

  it('takes the first valid value of each field and drops invalid ones', () => {
    expect(of('a=1&accountId=2&a=3&p=abc&id=30&la=xx&st=%3Cb%3E&unknown=1')).toEqual({ accountId: '1', planId: '30' });
    expect(of('la=pt-BR')).toEqual({ language: 'pt' });
    expect(of(`t=${'x'.repeat(3000)}&psl=`)).toEqual({});
  });

  it('reads nothing from the prototype', () => {
    expect(of('__proto__=1&constructor=2&toString=3')).toEqual({});
  });

  it('never throws, and returns known fields only', propertyTest, () => {
    const known = new Set(aliasNames.values());
    const name = fc.oneof(fc.constantFrom(...aliasNames.keys(), '__proto__', 'constructor'), fc.string());
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.anything()))),
        (pairs) => {
          const entry = aliasesOf(pairs);
          expect(Object.keys(entry).every((field) => known.has(field as never))).toBe(true);
          expect(Object.getPrototypeOf(entry)).toBe(Object.prototype);
        },
      ),
    );
  });
});
