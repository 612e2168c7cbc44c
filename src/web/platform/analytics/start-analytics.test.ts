import { expect, test } from 'vitest';
import { analyticsIdOf, pageNameOf } from '#contract/analytics.ts';

test.each([
  ['/stb-orders', 'stb-orders', 15],
  ['/login', 'login', 4],
  ['/reset-password', 'reset-password', 7],
  ['/resend-confirm/', 'resend-confirm', 8],
  ['/plan-details/30', 'plan', 3],
  ['/paymentResult/orderId/A1/token/secret', 'payment-result', 11],
  ['/device', 'device', 0],
  ['/device/BCDF-GHJK', 'not-found', 0],
])('%s is counted by its name, never by its address', (path, name, id) => {
  expect(pageNameOf(path)).toBe(name);
  expect(analyticsIdOf(pageNameOf(path))).toBe(id);
});
