import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openBrowser, type TestBrowser } from '#web/platform/session/storage/test-browser.ts';

const inAnHour = Date.now() + 3_600_000;
const user = {
  uid: 'u1',
  account: 'ana@example.com',
  type: 'email',
  token: 'a'.repeat(43),
  accountLoginType: 'email',
  payStatus: 'PAID',
  expiration: inAnHour,
} as const;
const payment = {
  orderId: 'LUMEN12345678901234567890',
  methodCode: 'pix',
  startedAt: 1,
  expiresAt: inAnHour,
  resumePath: '/payment-pix?orderId=LUMEN12345678901234567890',
  resultToken: 'abcdefghijklmnop',
};

let browser: TestBrowser;
let badge: number;

beforeEach(() => {
  vi.resetModules();
  browser = openBrowser();
  badge = 0;
  const show = async (value: number) => void (badge = value);
  vi.stubGlobal('navigator', { setAppBadge: show, clearAppBadge: () => show(0) });
});
afterEach(() => vi.unstubAllGlobals());

async function start() {
  const { followPayments } = await import('./badge.ts');
  const { paymentInProgress } = await import('#web/platform/session/storage/purchase.ts');
  const session = await import('#web/platform/session/session.ts');
  session.setSession(user);
  followPayments();
  return { paymentInProgress, ...session };
}

test('the app icon has a badge while a payment is pending, and none when it is done', async () => {
  const { paymentInProgress } = await start();
  expect(badge).toBe(0);
  paymentInProgress.set(payment);
  expect(badge).toBe(1);
  paymentInProgress.clear();
  expect(badge).toBe(0);
});

test('the badge is cleared at logout, and when the payment has expired', async () => {
  const { paymentInProgress, clearSession } = await start();
  paymentInProgress.set(payment);
  clearSession('logout');
  expect(badge).toBe(0);
  paymentInProgress.set({ ...payment, expiresAt: 1 });
  expect(badge).toBe(0);
});

test('a payment that ends in another tab clears the badge', async () => {
  const { paymentInProgress } = await start();
  paymentInProgress.set(payment);
  browser.localStorage.removeItem(paymentInProgress.key);
  browser.events.dispatchEvent(Object.assign(new Event('storage'), { key: paymentInProgress.key }));
  expect(badge).toBe(0);
});

test('works on a phone that has no badges or refuses them', async () => {
  const { paymentInProgress } = await start();
  const refused = Promise.reject(new DOMException('no', 'NotAllowedError'));
  vi.stubGlobal('navigator', { setAppBadge: () => refused });
  paymentInProgress.set(payment);
  vi.stubGlobal('navigator', {});
  paymentInProgress.clear();
  await expect(refused).rejects.toThrow('no');
});
