import { describe, expect, test } from 'vitest';
import { policyFor } from './policy.ts';

const origin = 'https://shop.example';

const policyOf = (path: string, more: { method?: string; mode?: string; token?: string } = {}) =>
  policyFor(
    {
      method: more.method ?? 'GET',
      url: new URL(path, origin).href,
      mode: more.mode ?? 'cors',
      headers: new Headers(more.token === undefined ? {} : { Authorization: more.token }),
    },
    origin,
  );

describe('offline data of a visitor', () => {
  test.each([
    '/api/site/listPlans/v1?language=pt',
    '/api/site/plan/detail/30-1?llanguage=ru',
    '/api/site/theme/v1',
    '/api/site/get/config/v1',
    '/api/site/function/config',
    '/api/site/get/lang/address',
    '/api/site/i18n/version',
    '/api/site/i18n/message?language=es',
    '/api/site/dynamic/config/v1?type=help&code=en',
  ])('%s is cached', (path) => {
    expect(policyOf(path)).toBe('site-data');
    expect(policyOf(path, { token: 'null' })).toBe('site-data');
  });

  test('the logo of the brand is cached', () => {
    expect(policyOf('/brand/lumen/logo.svg')).toBe('art');
    expect(policyOf('/icons/mego/icon.svg')).toBe('art');
  });
});

describe('what never passes through the worker', () => {
  test.each(['/api/site/listPlans/v1?language=pt', '/api/site/theme/v1', '/icons/lumen/icon.svg'])(
    '%s of a customer with a token',
    (path) => {
      expect(policyOf(path, { token: 'a-token-of-a-customer-0123456789' })).toBe('untouched');
      expect(policyOf(path, { token: '' })).toBe('untouched');
    },
  );

  test.each([
    '/api/bill/order/v1/LUMENABC',
    '/api/bill/getCheckCode/v1',
    '/api/user/get/config/v1',
    '/api/site/banner/v1',
    '/api/site/scanCode/getCountryCode/v1',
    '/api/site/plan/detail/30-1/more',
    '/api/site/theme/v1/',
    '/api/site/theme/v12',
    '/healthz',
    '/healthz/caller',
    '/healthz/started',
    '/manifest.webmanifest',
    '/brand/../api/bill/order/v1/1',
  ])('%s, which is not in the list', (path) => {
    expect(policyOf(path)).toBe('untouched');
  });

  test('a POST to any URL', () => {
    expect(policyOf('/api/site/theme/v1', { method: 'POST' })).toBe('untouched');
    expect(policyOf('/pricing-table', { method: 'POST', mode: 'navigate' })).toBe('untouched');
  });

  test('except an analytics report, which can be sent later', () => {
    expect(policyOf('/api/site/report', { method: 'POST', token: 'a-token-of-a-customer-0123456789' })).toBe('report');
    expect(policyOf('/api/site/report')).toBe('untouched');
    expect(policyOf('https://elsewhere.example/api/site/report', { method: 'POST' })).toBe('untouched');
  });

  test('a request to another site', () => {
    expect(policyOf('https://elsewhere.example/api/site/theme/v1')).toBe('untouched');
  });
});

describe('pages', () => {
  const page = (path: string) => policyOf(path, { mode: 'navigate' });

  test('every URL of the storefront starts offline', () => {
    expect(page('/')).toBe('page');
    expect(page('/pricing-table?la=ru')).toBe('page');
    expect(page('/plan-details/30-1')).toBe('page');
    expect(page('/orders')).toBe('page');
    expect(page('/paymentResult/orderId/ABC')).toBe('page');
  });

  test('an unknown URL starts the app, which shows the 404 page', () => {
    expect(page('/no-such-page')).toBe('page');
    expect(page('/plan-details/')).toBe('page');
    expect(page('/orders/of/somebody')).toBe('page');
  });

  test.each(['/captcha/frame', '/dev/outbox', '/metrics', '/.well-known/security.txt', '/sw.js', '/index.html'])(
    '%s is no page of the storefront',
    (path) => {
      expect(page(path)).toBe('untouched');
    },
  );

  test('pages of the sandbox stay untouched', () => {
    expect(page('/sandbox/bank/pay/1')).toBe('untouched');
    expect(page('/api/site/theme/v1')).toBe('untouched');
  });
});
