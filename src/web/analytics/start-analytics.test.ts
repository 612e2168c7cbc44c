import { expect, test } from 'vitest';
import { pageIds } from '../../contract/analytics.ts';
import { pageOf } from './start-analytics.ts';

test.each([
  ['/stb-orders', 'stb-orders', 15],
  ['/login', 'login', 4],
  ['/reset-password', 'reset-password', 7],
  ['/resend-confirm/', 'resend-confirm', 8],
  ['/plan-details/30', 'plan', 3],
  ['/paymentResult/orderId/A1/token/secret', 'payment-result', 11],
  ['/device', 'device', undefined],
  ['/device/BCDF-GHJK', 'not-found', undefined],
])('%s is counted by its name, never by its address', (path, name, id) => {
  expect(pageOf(path)).toBe(name);
  expect((pageIds as Readonly<Record<string, number>>)[name]).toBe(id); // some pages have no id
});
