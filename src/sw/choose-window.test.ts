import { describe, expect, test } from 'vitest';
import { chooseWindow } from './choose-window.ts';

const at = (...paths: string[]) => paths.map((path) => `https://shop.example${path}`);
const result = '/paymentResult?orderId=ABCDEFGH';

describe('a tap on a notification', () => {
  test('opens a new window if none is open', () => {
    expect(chooseWindow(result, [])).toBeUndefined();
  });

  test('focuses the page if it is open', () => {
    expect(chooseWindow('/account', at('/', '/account'))).toEqual({ index: 1, needsNavigation: false });
  });

  test('focuses the page of the same order, which updates itself', () => {
    expect(chooseWindow(result, at('/', '/payment-pix?orderId=ABCDEFGH'))).toEqual({
      index: 1,
      needsNavigation: false,
    });
  });

  test('navigates a page without input', () => {
    expect(chooseWindow(result, at('/payment?planId=1', '/orders'))).toEqual({ index: 1, needsNavigation: true });
  });

  test('never leaves a page with input or a payment', () => {
    const busy = at('/payment?planId=1', '/login', '/payment-pix?orderId=ANOTHERONE', '/sandbox/bank/pay/1');
    expect(chooseWindow(result, busy)).toBeUndefined();
    expect(chooseWindow('/account', busy)).toBeUndefined();
  });
});
