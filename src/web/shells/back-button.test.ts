import { expect, test } from 'vitest';
import { paths } from '#contract/paths.ts';
import { backTarget } from './back-button.tsx';

const places = ['/', '/pricing-table', '/orders', '/account'];
const pages = Object.entries(paths).flatMap(([path, { kind }]) => (kind === 'link' ? [] : [path.replace('{id}', '7')]));

test('has a back button on every page except the four of the bottom bar', () => {
  expect(pages.filter((page) => !backTarget(page)).sort()).toEqual([...places].sort());
});

test('leads up from every page to one of the four', () => {
  for (const page of pages) {
    let at = page;
    for (let steps = 0; steps < 3; steps += 1) at = backTarget(at)?.parent ?? at;
    expect(places, page).toContain(at);
  }
});

test('leads from a payment that has ended to the orders, and never to the checkout', () => {
  expect(backTarget('/paymentResult')).toEqual({ parent: '/orders', byHistory: false });
  expect(backTarget('/paymentResult/orderId/7')).toEqual({ parent: '/orders', byHistory: false });
  expect(backTarget('/payment-pix')).toEqual({ parent: '/orders', byHistory: true });
});

test('has a back target for an unknown address', () => {
  expect(backTarget('/nothing-here')).toEqual({ parent: '/', byHistory: true });
});
