import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkoutDraft, endCheckoutDraft } from './checkout-draft.ts';
import { openBrowser, TestStorage } from './test-browser.ts';

const planId = '101';
const chosen = { methodCode: 'card', currency: 'BRL', installments: 3, discountCode: 'TEN' };
const key = `marquee.me.draft.checkout.${planId}`;

beforeEach(() => void vi.useFakeTimers({ now: 1_790_000_000_000 }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('restores the choices after a reload', () => {
  openBrowser();
  checkoutDraft(planId).set(chosen);
  expect(checkoutDraft(planId).get()).toEqual(chosen);
});

test('is cleared by the order, for its plan only', () => {
  const { sessionStorage } = openBrowser();
  checkoutDraft(planId).set(chosen);
  checkoutDraft('102').set(chosen);
  endCheckoutDraft(planId);
  expect(checkoutDraft(planId).get()).toBeUndefined();
  expect(sessionStorage.getItem(key)).toBeNull();
  expect(checkoutDraft('102').get()).toEqual(chosen);
  vi.advanceTimersByTime(1);
  checkoutDraft(planId).set({ installments: 2 });
  expect(checkoutDraft(planId).get()).toEqual({ installments: 2 });
});

test('is cleared in another tab as well', () => {
  const localStorage = new TestStorage();
  openBrowser({ localStorage });
  endCheckoutDraft(planId);
  vi.setSystemTime(Date.now() - 1000);
  openBrowser({ localStorage });
  checkoutDraft(planId).set(chosen);
  expect(checkoutDraft(planId).get()).toBeUndefined();
});

test('restores no consent, whatever an older version has stored', () => {
  const { sessionStorage } = openBrowser();
  sessionStorage.setItem(
    key,
    JSON.stringify({ ...chosen, renew: true, agree: true, offers: true, chosenAt: Date.now() }),
  );
  expect(checkoutDraft(planId).get()).toEqual(chosen);
  sessionStorage.setItem(key, JSON.stringify({ installments: 3, renew: true }));
  expect(checkoutDraft(planId).get()).toBeUndefined();
});
