import { describe, expect, it } from 'vitest';
import { matchPath, paths } from './paths.ts';

describe('the URLs of the storefront', () => {
  it.each(Object.keys(paths).filter((path) => !path.includes('{')))(
    'has %s, with a slash at the end or without',
    (path) => {
      expect(matchPath(path)).toBe(path);
      if (path !== '/') expect(matchPath(`${path}/`)).toBe(path);
    },
  );

  it.each(['/plan-details/3', '/plan-details/30-1', '/plan-details/365/', `/plan-details/1${'a'.repeat(31)}`])(
    'shows a plan at %s',
    (path) => {
      expect(matchPath(path)).toBe('/plan-details/{id}');
    },
  );

  it.each([
    '/plan-details',
    '/plan-details/',
    '/plan-details/a1',
    '/plan-details/1/2',
    '/plan-details/{id}',
    `/plan-details/1${'a'.repeat(32)}`,
  ])('have no plan at %s', (path) => expect(matchPath(path)).toBeUndefined());

  it('finds the payment result page by its path', () => {
    expect(matchPath('/paymentResult/orderId/1/status/ok')).toBe('/paymentResult');
    expect(matchPath('/paymentResult/')).toBe('/paymentResult');
  });

  it.each([
    '/nowhere',
    '/Login',
    '/login/x',
    '/__proto__',
    '/constructor',
    '/toString',
    'orders',
    '',
    '//',
    '///',
    '//login',
    '//evil.example/login',
    '/api/bill/pay/v1',
  ])('have no page at %j', (path) => {
    expect(matchPath(path)).toBeUndefined();
  });

  it('redirect old links to existing pages', () => {
    for (const row of Object.values(paths)) {
      if (row.kind === 'link') expect(paths[row.to].kind).not.toBe('link');
    }
  });
});
