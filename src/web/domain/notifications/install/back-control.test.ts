import { expect, test } from 'vitest';
import { paths } from '#contract/paths.ts';
import { backTarget } from './back-control.tsx';

const places = ['/', '/pricing-table', '/orders', '/account'];
const pages = Object.entries(paths).flatMap(([path, { kind }]) => (kind === 'link' ? [] : [path.replace('{id}', '7')]));

test('the four places of the bottom bar have no way back, and every other page has one', () => {
  expect(pages.filter((page) => !backTarget(page)).sort()).toEqual([...places].sort());
});

test('whoever goes up from page to page arrives at one of the four places', () => {
  for (const page of pages) {
    let at = page;
    for (let steps = 0; steps < 3; steps += 1) at = backTarget(at)?.parent ?? at;
    expect(places, page).toContain(at);
  }
});

test('a payment that has ended leads to the orders, and never back to where it was paid', () => {
  expect(backTarget('/paymentResult')).toEqual({ parent: '/orders', byHistory: false });
  expect(backTarget('/paymentResult/orderId/7')).toEqual({ parent: '/orders', byHistory: false });
  expect(backTarget('/payment-pix')).toEqual({ parent: '/orders', byHistory: true });
});

test('an address that is nobody’s has a way out, too', () => {
  expect(backTarget('/nothing-here')).toEqual({ parent: '/', byHistory: true });
});
