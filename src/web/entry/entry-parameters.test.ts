import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArrival } from './entry-parameters.ts';
import { safeReturnPath } from './return-path.ts';

/** Many runs on a machine that other tests share. */
const propertyTest = { timeout: 30_000 };

describe('arriving by a link', () => {
  it('with device info leads to register, with what the link told', () => {
    expect(readArrival('/pricing-table', '?d=box1&a=55&la=es').redirect).toEqual({
      to: '/register',
      search: { deviceInfo: 'box1', accountId: '55', language: 'es', return: '/pricing-table' },
    });
  });

  it('with JSON parameters leads to login', () => {
    const params = JSON.stringify({ a: 55, la: 'ru', t: 'secret', junk: 'x', e: { deep: 1 } });
    const arrival = readArrival('/', `?params=${encodeURIComponent(params)}`);
    expect(arrival.redirect).toEqual({ to: '/login', search: { accountId: '55', language: 'ru', return: '/' } });
    expect(arrival.secrets).toEqual({ appToken: 'secret' });
  });

  it('with token, account and login id leads to login, and the token is in no address', () => {
    const arrival = readArrival('/plan-details/30', '?t=secret&a=55&e=ana&la=es&x=1');
    expect(arrival.redirect?.to).toBe('/login');
    expect(arrival.entry.language).toBe('es');
    expect(arrival.secrets).toEqual({ appToken: 'secret' });
    expect(JSON.stringify([arrival.redirect, arrival.entry, arrival.search])).not.toContain('secret');
    expect(arrival.redirect?.search['return']).toBe('/plan-details/30?x=1');
  });

  it('takes a token out of any address, also where it leads nowhere', () => {
    expect(readArrival('/help', '?t=secret&x=1')).toMatchObject({ search: '?x=1', secrets: { appToken: 'secret' } });
    expect(readArrival('/help', '?t=secret&x=1').redirect).toBeUndefined();
  });

  it('with two of the three, or on another page, leads nowhere', () => {
    expect(readArrival('/', '?t=secret&a=55').redirect).toBeUndefined();
    expect(readArrival('/help', '?d=box1').redirect).toBeUndefined();
    expect(readArrival('/login', '?t=s&a=55&e=ana').redirect).toBeUndefined();
  });

  it.each([
    '/',
    '/pricing-table',
    '/plan-details/30',
    '/plan',
    '/tokenLogin',
    '/order',
    '/orders',
    '/stbPayment',
    '/payment',
    '/payment/',
  ])('reads entry parameters on %s', (path) => expect(readArrival(path, '?d=1').redirect?.to).toBe('/register'));

  it('comes back to the plan that was to be paid', () => {
    expect(readArrival('/payment', '?planId=30&d=1').redirect?.search['return']).toBe('/payment?planId=30');
  });

  it.each(['[1]', 'null', '"x"', '{', `{"a":"${'x'.repeat(2100)}"}`, '{"__proto__":{"a":"1"}}', '{"constructor":"x"}'])(
    'is not led astray by %s as parameters',
    (params) => expect(readArrival('/', `?params=${encodeURIComponent(params)}`).redirect).toBeUndefined(),
  );

  it('leaves a clean address exactly as it is', () => {
    expect(readArrival('/', '?q=%20a+b&q=2').search).toBe('?q=%20a+b&q=2');
  });

  it('never throws, pollutes nothing, and never shows a token', propertyTest, () => {
    const names = fc.constantFrom('a', 't', 'appToken', 'e', 'd', 'params', 'p', '__proto__', 'x');
    const values = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json({ maxDepth: 1 }));
    const path = fc.oneof(
      fc.constantFrom('/', '//', '/payment', '/plan-details/30', '/help'),
      fc.string().map((text) => `/${text}`),
    );
    fc.assert(
      fc.property(path, fc.array(fc.tuple(names, values), { maxLength: 6 }), (pathname, pairs) => {
        const arrival = readArrival(pathname, `?${new URLSearchParams(pairs)}`);
        const left = new URLSearchParams(arrival.search);
        expect(left.has('t') || left.has('appToken') || left.has('params')).toBe(false);
        expect('appToken' in arrival.entry).toBe(false);
        expect(({} as Record<string, unknown>)['a']).toBeUndefined();
        const back = arrival.redirect?.search['return'];
        if (back !== undefined) expect(back).toMatch(/^\/(?!\/)/);
        if (back !== undefined && back.length <= 512) expect(safeReturnPath(back)).toBeDefined();
      }),
    );
  });
});
