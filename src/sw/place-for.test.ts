import { describe, expect, test } from 'vitest';
import { placeFor } from './place-for.ts';

const at = (...paths: string[]) => paths.map((path) => `https://shop.example${path}`);
const result = '/paymentResult?orderId=ABCDEFGH';

describe('a tap on a message', () => {
  test('opens a new window where none is open', () => {
    expect(placeFor(result, [])).toBeUndefined();
  });

  test('brings up the page that is there already', () => {
    expect(placeFor('/account', at('/', '/account'))).toEqual({ index: 1, leads: false });
  });

  test('brings up the page where this order waits, which goes on by itself', () => {
    expect(placeFor(result, at('/', '/payment-pix?orderId=ABCDEFGH'))).toEqual({ index: 1, leads: false });
  });

  test('leads a page on which nobody does anything', () => {
    expect(placeFor(result, at('/payment?planId=1', '/orders'))).toEqual({ index: 1, leads: true });
  });

  test('never takes away what is being typed or paid', () => {
    const busy = at('/payment?planId=1', '/login', '/payment-pix?orderId=ANOTHERONE', '/sandbox/bank/pay/1');
    expect(placeFor(result, busy)).toBeUndefined();
    expect(placeFor('/account', busy)).toBeUndefined();
  });
});
